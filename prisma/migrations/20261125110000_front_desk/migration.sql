-- The role of members who work with bookings and contacts, and see nothing of partners. Older code cannot read a member
-- with this role, so invite the first one after the upgrade of all instances.
ALTER TYPE "Role" ADD VALUE 'FRONT_DESK';
