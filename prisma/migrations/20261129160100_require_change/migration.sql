-- Fails with PBS01 if a statement has changed no row, because a concurrent write has taken the seat. The COMMIT that was
-- sent together with the statement then rolls back.
CREATE FUNCTION "require_change"("changed" bigint) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  IF "changed" = 0 THEN
    RAISE EXCEPTION 'a concurrent write has taken the seat' USING ERRCODE = 'PBS01';
  END IF;
  RETURN "changed";
END $$;
