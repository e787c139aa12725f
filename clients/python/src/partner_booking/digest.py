import hashlib


def day_hash(bookings):
    """Returns the hash of the bookings of one day, in any order."""
    lines = sorted(f"{one['reference']}:{one['version']}\n" for one in bookings)
    return hashlib.sha256("".join(lines).encode()).hexdigest()
