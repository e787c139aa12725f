-- The index bookings_without_name_hashes replaces it.
DROP INDEX CONCURRENTLY "bookings_without_phone_hash";
