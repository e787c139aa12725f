"""Client of the Partner Booking API."""

from .digest import day_hash
from .partner import Partner, PartnerError
from .webhook import verify_webhook

__all__ = ["Partner", "PartnerError", "day_hash", "verify_webhook"]
