"""What can go wrong on our own side; what the service says is in the client's errors.

CoreError
├── Refused          a plan that cannot be started
│   ├── BadRequest   a field that is wrong, or a file that cannot be used
│   └── NoKey        a remote service is set, and no key for it
├── Offline          Blender's "Allow Online Access" is off
├── InsecureAddress  a key would travel unencrypted
├── NoWebAddress     the service's address is none
├── WrongService     the job belongs to another service than the one that is set
├── EngineTrouble    the local engine did not start
├── JournalTrouble   the journal cannot be used
├── BrokenResult     what was downloaded is not a usable model
├── NotSaved         the result could not be written where the user wants it
├── NoResult         the task succeeded and gave nothing to download
├── UnknownTask      the service does not know the task
└── SentTooOften     one creation request after the other failed

.. and two that only scripts get, in :mod:`.jobs.job_errors`: a job that failed, and one that is not done in time.
"""

from __future__ import annotations


class CoreError(Exception):
    """Base of the errors of this package. The message is a sentence for the user; ``advice`` says what to do."""

    def __init__(self, sentence: str, advice: str = "") -> None:
        super().__init__(sentence)
        self.advice = advice


class Refused(CoreError):
    """A plan that cannot be started. Nothing was written, sent or paid."""


class BadRequest(Refused):
    """A field that is wrong or missing, or a file that cannot be used. ``field`` is the flattened name, or empty."""

    def __init__(self, sentence: str, field: str = "", advice: str = "") -> None:
        super().__init__(sentence, advice)
        self.field = field


class NoKey(Refused):
    """A remote service is set, and no key for it."""

    def __init__(self, host: str) -> None:
        super().__init__(f"There is no API key for {host}", "Enter one in the preferences, or use the local engine")


class Offline(CoreError):
    """A remote request while Blender's "Allow Online Access" is off."""

    def __init__(self) -> None:
        super().__init__(
            "Online access is turned off in Blender, so the service is not asked",
            "Turn on Preferences > System > Network > Allow Online Access, or use the local engine",
        )


class InsecureAddress(CoreError):
    """An address that would carry the key unencrypted over a network."""

    def __init__(self, host: str) -> None:
        super().__init__(
            f"The address of {host} begins with http, so the key would travel unencrypted",
            "Use an address that begins with https",
        )


class NoWebAddress(CoreError):
    """The service's address is none."""

    def __init__(self, address: str) -> None:
        super().__init__(
            f'The service\'s address "{address}" is no web address', "It must look like https://host.example"
        )


class WrongService(CoreError):
    """A job of another service than the one that is set now."""

    def __init__(self, service_id: str) -> None:
        place = "the local engine" if service_id == "local" else service_id
        super().__init__(f"This job belongs to {place}", f"It goes on when {place} is set in the preferences again")


class EngineTrouble(CoreError):
    """The local engine did not start. ``log`` is what it printed."""

    def __init__(self, sentence: str, advice: str = "", log: str = "") -> None:
        super().__init__(sentence, advice)
        self.log = log


class JournalTrouble(CoreError):
    """The journal cannot be used."""


class BrokenResult(CoreError):
    """What was downloaded is not a usable model."""


class NotSaved(CoreError):
    """The result could not be written where the user wants it. It stays in the folder of its job."""


class NoResult(CoreError):
    """The task succeeded and gave nothing that could be downloaded."""


class UnknownTask(CoreError):
    """The service does not know the task, or not any more."""


class SentTooOften(CoreError):
    """One creation request after the other failed, and none made a task. The cause is how the last one failed."""

    def __init__(self) -> None:
        super().__init__("The service failed on every try to start the task", "Press Retry in a few minutes")


def sentences(*parts: str) -> str:
    """Sentences in one line, but for the last full stop; empty ones are left out."""
    return ". ".join(part.rstrip(".") for part in parts if part)
