# Prints the changes of offset of every time zone, from Python's zoneinfo, as JSON:
# {"version": …, "zones": {name: [[epoch minute, offset in minutes], …]}}. Arguments: first year, last year.
# Reads one offset per day, and searches for the minute of each change.
import json, sys, zoneinfo
from datetime import datetime, timedelta, timezone

UTC = timezone.utc
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def offset(zone, minute):
    return int((EPOCH + timedelta(minutes=minute)).astimezone(zone).utcoffset().total_seconds()) / 60


def changes(zone, start, end):
    last = offset(zone, start)
    found = [[start, last]]
    day = start
    while day < end:
        following = day + 1440
        after = offset(zone, following)
        if after != last:
            low, high = day, following
            while high - low > 1:
                middle = (low + high) // 2
                if offset(zone, middle) == last:
                    low = middle
                else:
                    high = middle
            found.append([high, after])
            last = after
        day = following
    return found


start = int((datetime(int(sys.argv[1]), 1, 1, tzinfo=UTC) - EPOCH).total_seconds()) // 60
end = int((datetime(int(sys.argv[2]) + 1, 1, 1, tzinfo=UTC) - EPOCH).total_seconds()) // 60
names = sorted(n for n in zoneinfo.available_timezones() if not n.startswith(("posix", "right")))
version = "unknown"
for path in zoneinfo.TZPATH:
    try:
        with open(path + "/tzdata.zi", encoding="utf-8") as file:
            version = file.readline().split()[-1]
        break
    except OSError:
        pass
print(json.dumps({"version": version, "start": start, "end": end,
                  "zones": {name: changes(zoneinfo.ZoneInfo(name), start, end) for name in names}}))
