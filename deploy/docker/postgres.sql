-- Sets the passwords of the roles. PostgreSQL's image runs this file once, after deploy/postgresql/roles.sql, if the
-- volume is empty.
\set owner_password `cat /run/secrets/owner_password`
\set booking_password `cat /run/secrets/booking_password`
ALTER ROLE booking_owner PASSWORD :'owner_password';
ALTER ROLE booking PASSWORD :'booking_password';
