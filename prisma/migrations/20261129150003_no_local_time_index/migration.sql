-- `bookings_without_local_times` has replaced this index.
DROP INDEX CONCURRENTLY "bookings_without_local_time";
