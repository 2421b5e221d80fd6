"""What stands in the way of a job? Asked before one is started, and by panels to say why a button is grey."""

from __future__ import annotations

import bpy

from ..core.settings import Settings
from . import key_field, prefs


def obstacle(settings: Settings) -> str:
    """Why nothing can be run with these settings, as a sentence; empty when all is well."""
    values = prefs.preferences()
    if values is not None and values.service == prefs.REMOTE and settings.is_local:
        return "Enter the address of the service in the preferences"
    if settings.is_local:
        return ""
    if not settings.base_url.lower().startswith(("http://", "https://")) or not settings.service_id:
        return "The address of the service must begin with https://"
    if not settings.online and not settings.is_loopback:
        return offline_message()
    if not settings.api_key and _is_key_missing(settings.service_id):
        return "Enter your API key for the service in the preferences"
    return ""


def _is_key_missing(host: str) -> bool:
    """Whether there is no key. As long as that is being asked for it is not held against the user: the job will say."""
    if bpy.app.background:
        key_field.known_origin(host)
    return key_field.is_missing(host)


def offline_message() -> str:
    """What to do about online access being off; the two cases differ in what the user can do."""
    if bpy.app.online_access_override:
        return "Online access is off: start Blender without --offline-mode to use the service"
    return "Online access is off: allow it in Preferences > System > Network to use the service"
