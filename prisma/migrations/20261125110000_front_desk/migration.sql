-- The role of members who work with bookings and contacts, and see nothing of partners. Servers of an earlier version
-- cannot read a member with this role. Invite the first such member only after the upgrade of all instances.
ALTER TYPE "Role" ADD VALUE 'FRONT_DESK';
