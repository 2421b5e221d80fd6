"""Can anything be run with these settings? Asked before a job is started, and by panels to say why a button is grey."""

from __future__ import annotations

import bpy

from ..core.settings import Settings
from . import key_field, prefs


def trouble(found: Settings) -> str:
    """Why nothing can be run with these settings, as a sentence; empty when all is well."""
    values = prefs.preferences()
    if values is not None and values.service == prefs.REMOTE and found.is_local:
        return "Enter the address of the service in the preferences"
    if found.is_local:
        return ""
    if not found.base_url.lower().startswith(("http://", "https://")) or not found.service_id:
        return "The address of the service must begin with https://"
    if not found.online and not found.is_loopback:
        return offline_words()
    if not found.api_key and not key_field.where(found.service_id):
        return "Enter your API key for the service in the preferences"
    return ""


def offline_words() -> str:
    """What to do about online access being off; the two cases differ in what the user can do."""
    if bpy.app.online_access_override:
        return "Online access is off: start Blender without --offline-mode to use the service"
    return "Online access is off: allow it in Preferences > System > Network to use the service"
