"""The numeric error codes of the service (docs/api.md, 3.1)."""

from __future__ import annotations

from enum import IntEnum


class ErrorCode(IntEnum):
    """Codes found in the ``code`` of an error body and in the ``error_code`` of a failed task.

    Codes that the service adds later are plain integers to us: they are kept as they came and never raise.
    """

    SUCCESS = 0
    AUTHENTICATION = 2
    SERVER_ERROR = 1000
    SERVER_ERROR_2 = 1001
    AUTHENTICATION_2 = 1002
    MALFORMED_REQUEST = 1003
    BAD_PARAMETER = 1004
    RATE_LIMITED = 1007
    CONCURRENCY_LIMIT = 2000
    TASK_NOT_FOUND = 2001
    INPUT_2002 = 2002
    INPUT_2003 = 2003
    INPUT_2004 = 2004
    INPUT_2005 = 2005
    INPUT_2006 = 2006
    INPUT_2007 = 2007
    MODERATION = 2008
    INPUT_2009 = 2009
    INSUFFICIENT_CREDITS = 2010
    PRIORITY_NOT_ALLOWED = 2013
    VERSION_2015 = 2015
    VERSION_2016 = 2016
    VERSION_2017 = 2017
    QUEUE_EXPIRED = 2018
    TOO_LARGE_2021 = 2021
    TOO_LARGE_2022 = 2022
    UNKNOWN_ROUTE = 4001
