-- Runs once, when the volume of PostgreSQL is empty, after deploy/postgresql/roles.sql: sets the passwords of the roles.
\set owner_password `cat /run/secrets/owner_password`
\set booking_password `cat /run/secrets/booking_password`
ALTER ROLE booking_owner PASSWORD :'owner_password';
ALTER ROLE booking PASSWORD :'booking_password';
