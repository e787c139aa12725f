-- Creates the database and its two roles. Run it once as a superuser, then set the passwords.
-- The servers' role gets its privileges on the tables from `npm run migrate`.
-- CREATEDB: a drill (docs/backup.md) restores the newest backup into a scratch database.
CREATE ROLE booking_owner LOGIN CREATEDB;
CREATE ROLE booking LOGIN;
CREATE DATABASE booking_live OWNER booking_owner;
REVOKE ALL ON DATABASE booking_live FROM PUBLIC;
GRANT CONNECT ON DATABASE booking_live TO booking;
