"""The test of the connection: may the service be asked, and what does the account have?"""

from __future__ import annotations

from ....vendor.assetgen import AssetGenError
from ..errors import CoreError
from ..requests.prices import credits_text
from ..stages.context import JobContext
from ..status.error_messages import present
from ..status.messages import ServiceChecked


def ask_balance(context: JobContext) -> ServiceChecked:
    """Asks the service for the balance, or finds out why it cannot be asked. Takes as long as the network does."""
    connection = context.connection
    try:
        client = connection.client(connection.settings.service_id, context.cancel_flags.ending.is_set)
        balance = client.account.balance()
    except (AssetGenError, CoreError) as error:
        connection.failed(error)
        return ServiceChecked(ok=False, sentence=str(present(error)))
    if connection.settings.is_local:  # what it counts is no money
        return ServiceChecked(ok=True, sentence="Ready: the local engine runs on this machine and is free")
    credits, frozen = credits_text(balance.balance), credits_text(balance.frozen)
    held = f" to spend; running tasks hold {frozen} beside them" if balance.frozen else ""
    return ServiceChecked(ok=True, sentence=f"Connected: {credits} credits{held}", balance=credits, frozen=frozen)
