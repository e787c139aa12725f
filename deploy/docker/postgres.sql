-- Runs once, when the volume of PostgreSQL is empty: creates the database and its owner, which is not a superuser.
\set password `cat /run/secrets/booking_password`
CREATE ROLE booking LOGIN PASSWORD :'password';
CREATE DATABASE booking_live OWNER booking;
