-- The schema of the last 0.1.0, which reached it with 109 migrations (lib/operations/environment/baseline.ts).

-- Types

CREATE EXTENSION IF NOT EXISTS btree_gist;

CREATE TYPE "BookingSource" AS ENUM ( 'partner', 'business' );
CREATE TYPE "BookingStatus" AS ENUM ( 'confirmed', 'cancelled', 'completed', 'no_show' );
CREATE TYPE "ResetPolicy" AS ENUM ( 'DAILY', 'ON_DEMAND' );
CREATE TYPE "Role" AS ENUM ( 'OWNER', 'SUPPORT', 'FRONT_DESK' );

-- Tables

CREATE TABLE environment (
  singleton boolean DEFAULT true NOT NULL,
  name text NOT NULL,
  secrets_fingerprint text NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  inngest_checked_at timestamptz(3),
  inngest_problem text,
  hash_keys bytea,
  previous_fingerprint text,
  replaced_fingerprint text,
  cell text,
  zone_rules text,
  zone_rules_derived_at timestamptz(3),
  backed_up_at timestamptz(3),
  CONSTRAINT environment_pkey PRIMARY KEY (singleton),
  CONSTRAINT environment_cell CHECK (cell ~ '^[0-9a-z]{4}$'),
  CONSTRAINT environment_fingerprint CHECK (secrets_fingerprint ~ '^[0-9a-f]{64}$'),
  CONSTRAINT environment_hash_keys_length CHECK (octet_length(hash_keys) BETWEEN 36 AND 1000),
  CONSTRAINT environment_name CHECK (name IN ('TEST', 'LIVE')),
  CONSTRAINT environment_one_row CHECK (singleton),
  CONSTRAINT environment_previous_fingerprint CHECK (
    (previous_fingerprint ~ '^[0-9a-f]{64}$')
    AND (previous_fingerprint <> secrets_fingerprint)
  ),
  CONSTRAINT environment_replaced_fingerprint CHECK (replaced_fingerprint ~ '^[0-9a-f]{64}$'),
  CONSTRAINT environment_rotation_keeps_hash_keys CHECK ((previous_fingerprint IS NULL) OR (hash_keys IS NOT NULL)),
  CONSTRAINT environment_zone_rules CHECK (
    ((zone_rules ~ '^[0-9]{4}[a-z]{1,2}$') IS NOT FALSE)
    AND ((zone_rules_derived_at IS NULL) OR (zone_rules IS NOT NULL))
  )
);

CREATE TABLE tenants (
  id text NOT NULL COLLATE "C",
  name text NOT NULL,
  time_zone text NOT NULL,
  default_locale text NOT NULL,
  locales text[] NOT NULL,
  reset_policy "ResetPolicy" DEFAULT 'ON_DEMAND' NOT NULL,
  last_reset_at timestamptz(3),
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  request_log_days integer DEFAULT 30 NOT NULL,
  contact_days integer DEFAULT 365,
  delivery_days integer DEFAULT 30 NOT NULL,
  reset_policy_since timestamptz(3),
  require_second_factor boolean DEFAULT false NOT NULL,
  history_days integer DEFAULT 365,
  suspended_at timestamptz(3),
  max_applications integer,
  max_locations integer,
  max_requests_per_minute integer,
  deletion_began_at timestamptz(3),
  elsewhere_since timestamptz(3),
  name_skeleton text,
  zone_rules text,
  shows_customer_names boolean DEFAULT false NOT NULL,
  CONSTRAINT tenants_pkey PRIMARY KEY (id),
  CONSTRAINT tenants_default_locale CHECK (default_locale = ANY (locales)),
  CONSTRAINT tenants_deletion CHECK ((deletion_began_at IS NULL) OR (suspended_at IS NOT NULL)),
  CONSTRAINT tenants_elsewhere CHECK ((elsewhere_since IS NULL) OR (suspended_at IS NOT NULL)),
  CONSTRAINT tenants_history_days CHECK ((history_days BETWEEN 90 AND 3650) IS NOT FALSE),
  CONSTRAINT tenants_id_format CHECK (id ~ '^ten_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  CONSTRAINT tenants_limits CHECK (
    ((max_applications BETWEEN 1 AND 1000000) IS NOT FALSE)
    AND ((max_locations BETWEEN 1 AND 1000000) IS NOT FALSE)
    AND ((max_requests_per_minute BETWEEN 1 AND 1000000) IS NOT FALSE)
  ),
  CONSTRAINT tenants_locales CHECK (
    (cardinality(locales) BETWEEN 1 AND 50)
    AND (locales = string_to_array(array_to_string(locales, ' '), ' '))
    AND (array_to_string(locales, ' ') ~ '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*( [A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*)*$')
  ),
  CONSTRAINT tenants_name_length CHECK (char_length(name) BETWEEN 1 AND 200),
  CONSTRAINT tenants_name_skeleton_length CHECK (char_length(name_skeleton) BETWEEN 1 AND 4000),
  CONSTRAINT tenants_retention CHECK (
    (request_log_days BETWEEN 1 AND 30)
    AND ((contact_days BETWEEN 1 AND 3650) IS NOT FALSE)
    AND (delivery_days BETWEEN 14 AND 365)
  ),
  CONSTRAINT tenants_time_zone_format CHECK (time_zone ~ '^[A-Za-z0-9_+/-]{1,64}$'),
  CONSTRAINT tenants_zone_rules CHECK ((zone_rules ~ '^[0-9]{4}[a-z]{1,2}$') IS NOT FALSE)
);
CREATE UNIQUE INDEX tenants_name_skeleton_key ON tenants (name_skeleton);

CREATE TABLE tenant_deletions (
  tenant_id text NOT NULL COLLATE "C",
  name text NOT NULL,
  began_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  rows jsonb DEFAULT '{}' NOT NULL,
  user_ids text[] DEFAULT ARRAY[]::text[] NOT NULL,
  recorded_at timestamp(6) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT tenant_deletions_pkey PRIMARY KEY (tenant_id, began_at),
  CONSTRAINT tenant_deletions_finished CHECK (
    (finished_at IS NULL)
    OR ((finished_at >= began_at) AND (user_ids = '{}'::text[]))
  ),
  CONSTRAINT tenant_deletions_name_length CHECK (char_length(name) BETWEEN 1 AND 200),
  CONSTRAINT tenant_deletions_rows CHECK (
    (jsonb_typeof(rows) = 'object')
    AND (NOT jsonb_path_exists(rows, '$.*?(@.type() != "number")'::jsonpath))
  ),
  CONSTRAINT tenant_deletions_tenant_id_format CHECK (tenant_id ~ '^ten_[0-7][0-9a-hjkmnp-tv-z]{25}$')
);
CREATE UNIQUE INDEX tenant_deletions_unfinished ON tenant_deletions (tenant_id) WHERE (finished_at IS NULL);

CREATE TABLE users (
  id text NOT NULL COLLATE "C",
  email text NOT NULL,
  name text NOT NULL,
  password_hash text,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  address_proven_at timestamptz(3),
  closed_at timestamptz(3),
  tenant_id text COLLATE "C",
  password_expires_at timestamptz(3),
  unwanted_mails text[] DEFAULT ARRAY['daily_summary'] NOT NULL,
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_closed CHECK ((closed_at IS NULL) OR (password_hash IS NULL)),
  CONSTRAINT users_email_format CHECK ((email ~ '^[^@[:space:]]+@[^@[:space:]]+$') AND (char_length(email) <= 254)),
  CONSTRAINT users_email_lower_case CHECK (email = lower((email COLLATE "C"))),
  CONSTRAINT users_id_format CHECK (id ~ '^usr_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  CONSTRAINT users_name_length CHECK (char_length(name) BETWEEN 1 AND 200),
  CONSTRAINT users_password_hash_argon2id CHECK (password_hash ~~ '$argon2id$%'),
  CONSTRAINT users_proof CHECK ((address_proven_at IS NULL) OR (tenant_id IS NULL)),
  CONSTRAINT users_unwanted_mails CHECK (
    (cardinality(unwanted_mails) BETWEEN 0 AND 20)
    AND (
      (unwanted_mails = '{}'::text[])
      OR (array_to_string(unwanted_mails, ',', '*') ~ '^[a-z_]{1,40}(,[a-z_]{1,40})*$')
    )
  )
);
CREATE INDEX users_email_idx ON users (email);
CREATE UNIQUE INDEX users_proven_email_key ON users (email)
  WHERE ((address_proven_at IS NOT NULL) AND (closed_at IS NULL));
CREATE UNIQUE INDEX users_tenant_id_email_key ON users (tenant_id, email)
  WHERE ((tenant_id IS NOT NULL) AND (closed_at IS NULL));
CREATE INDEX users_tenant_id_idx ON users (tenant_id);

CREATE TABLE user_identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id text NOT NULL COLLATE "C",
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT user_identities_pkey PRIMARY KEY (issuer, subject),
  CONSTRAINT user_identities_length CHECK (
    (char_length(issuer) BETWEEN 1 AND 2000)
    AND (char_length(subject) BETWEEN 1 AND 255)
  )
);
CREATE UNIQUE INDEX user_identities_issuer_user_id_key ON user_identities (issuer, user_id);
CREATE INDEX user_identities_user_id_idx ON user_identities (user_id);

CREATE TABLE sessions (
  id text NOT NULL COLLATE "C",
  user_id text NOT NULL COLLATE "C",
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  browser text COLLATE "C",
  confirmed_at timestamptz(3),
  last_used_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  must_change_password boolean DEFAULT false NOT NULL,
  network text COLLATE "C",
  method text,
  opened text[] DEFAULT ARRAY[]::text[] NOT NULL COLLATE "C",
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_browser_length CHECK (char_length(browser) BETWEEN 1 AND 40),
  CONSTRAINT sessions_id_format CHECK (id ~ '^ses_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  CONSTRAINT sessions_life CHECK (expires_at > created_at),
  CONSTRAINT sessions_method CHECK (method IN ('password', 'provider', 'totp', 'passkey', 'recovery_code')),
  CONSTRAINT sessions_network_length CHECK (char_length(network) BETWEEN 1 AND 64)
);
CREATE INDEX sessions_user_id_idx ON sessions (user_id);

CREATE TABLE totp_factors (
  user_id text NOT NULL COLLATE "C",
  secret bytea NOT NULL,
  created_at timestamptz(3) NOT NULL,
  confirmed_at timestamptz(3),
  last_step integer,
  CONSTRAINT totp_factors_pkey PRIMARY KEY (user_id),
  CONSTRAINT totp_factors_confirmed CHECK (((confirmed_at IS NULL) = (last_step IS NULL)) AND (last_step > 0)),
  CONSTRAINT totp_factors_secret_length CHECK (octet_length(secret) BETWEEN 60 AND 200)
);

CREATE TABLE passkeys (
  id text NOT NULL COLLATE "C",
  user_id text NOT NULL COLLATE "C",
  name text NOT NULL,
  credential_id bytea NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  CONSTRAINT passkeys_pkey PRIMARY KEY (id),
  CONSTRAINT passkeys_credential CHECK (
    (octet_length(credential_id) BETWEEN 1 AND 1023)
    AND (octet_length(public_key) BETWEEN 1 AND 4096)
    AND (counter >= 0)
    AND (cardinality(transports) <= 10)
  ),
  CONSTRAINT passkeys_id_format CHECK (id ~ '^psk_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  CONSTRAINT passkeys_name_length CHECK (char_length(name) BETWEEN 1 AND 100)
);
CREATE UNIQUE INDEX passkeys_credential_id_key ON passkeys (credential_id);
CREATE INDEX passkeys_user_id_idx ON passkeys (user_id);

CREATE TABLE recovery_codes (
  user_id text NOT NULL COLLATE "C",
  code_hash bytea NOT NULL,
  created_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  CONSTRAINT recovery_codes_hash_length CHECK (octet_length(code_hash) = 32)
);

CREATE TABLE second_steps (
  id text NOT NULL COLLATE "C",
  user_id text NOT NULL COLLATE "C",
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  must_change_password boolean DEFAULT false NOT NULL,
  CONSTRAINT second_steps_pkey PRIMARY KEY (id),
  CONSTRAINT second_steps_id_format CHECK (id ~ '^sst_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  CONSTRAINT second_steps_life CHECK (
    (expires_at > created_at)
    AND (expires_at <= (created_at + '00:10:00'::interval))
  )
);
CREATE INDEX second_steps_user_id_idx ON second_steps (user_id);

CREATE TABLE sign_ins (
  id text NOT NULL COLLATE "C",
  tenant_id text NOT NULL COLLATE "C",
  user_id text NOT NULL COLLATE "C",
  outcome text NOT NULL,
  method text NOT NULL,
  network text,
  minute timestamptz(3) NOT NULL,
  at timestamptz(3) NOT NULL,
  attempts integer DEFAULT 1 NOT NULL,
  CONSTRAINT sign_ins_pkey PRIMARY KEY (id),
  CONSTRAINT sign_ins_attempts CHECK (attempts > 0),
  CONSTRAINT sign_ins_id_format CHECK (id ~ '^sgn_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  CONSTRAINT sign_ins_method CHECK (method IN ('password', 'provider', 'totp', 'passkey', 'recovery_code')),
  CONSTRAINT sign_ins_minute CHECK (
    ((EXTRACT(epoch FROM minute) % (60)::numeric) = (0)::numeric)
    AND (at >= minute)
    AND (at < (minute + '00:01:00'::interval))
  ),
  CONSTRAINT sign_ins_network_length CHECK (char_length(network) BETWEEN 1 AND 64),
  CONSTRAINT sign_ins_outcome CHECK (outcome IN ('signed_in', 'wrong_password', 'wrong_second_factor', 'wrong_identity'))
);
CREATE UNIQUE INDEX sign_ins_of_a_minute ON sign_ins (user_id, network, outcome, method, minute, tenant_id) NULLS NOT DISTINCT;
CREATE INDEX sign_ins_tenant_id_at_idx ON sign_ins (tenant_id, at DESC);

CREATE TABLE refused_calls (
  id text NOT NULL COLLATE "C",
  tenant_id text NOT NULL COLLATE "C",
  user_id text NOT NULL COLLATE "C",
  procedure text,
  code text NOT NULL,
  minute timestamptz(3) NOT NULL,
  at timestamptz(3) NOT NULL,
  calls integer DEFAULT 1 NOT NULL,
  CONSTRAINT refused_calls_pkey PRIMARY KEY (id),
  CONSTRAINT refused_calls_calls CHECK (calls > 0),
  CONSTRAINT refused_calls_code CHECK (code IN ('forbidden', 'not_found', 'second_factor_required')),
  CONSTRAINT refused_calls_id_format CHECK (id ~ '^rfc_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  CONSTRAINT refused_calls_minute CHECK (
    ((EXTRACT(epoch FROM minute) % (60)::numeric) = (0)::numeric)
    AND (at >= minute)
    AND (at < (minute + '00:01:00'::interval))
  ),
  CONSTRAINT refused_calls_procedure CHECK ((char_length(procedure) <= 64) AND (procedure ~ '^[a-z_]+(\.[a-z_]+)*$'))
);
CREATE UNIQUE INDEX refused_calls_of_a_minute ON refused_calls (user_id, tenant_id, minute, procedure, code) NULLS NOT DISTINCT;
CREATE INDEX refused_calls_tenant_id_at_idx ON refused_calls (tenant_id, at DESC);

CREATE TABLE memberships (
  tenant_id text NOT NULL COLLATE "C",
  user_id text NOT NULL COLLATE "C",
  role "Role" NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  last_used_at timestamptz(3),
  CONSTRAINT memberships_pkey PRIMARY KEY (tenant_id, user_id)
);
CREATE INDEX memberships_user_id_idx ON memberships (user_id);

CREATE TABLE saved_views (
  id text NOT NULL COLLATE "C",
  tenant_id text NOT NULL COLLATE "C",
  user_id text NOT NULL COLLATE "C",
  page text NOT NULL,
  number integer NOT NULL,
  name text NOT NULL,
  query jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT saved_views_pkey PRIMARY KEY (id),
  CONSTRAINT saved_views_id_format CHECK (id ~ '^viw_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  CONSTRAINT saved_views_name_length CHECK (char_length(name) BETWEEN 1 AND 60),
  CONSTRAINT saved_views_number CHECK (number BETWEEN 1 AND 20),
  CONSTRAINT saved_views_page CHECK (page IN ('requests', 'bookings')),
  CONSTRAINT saved_views_query CHECK ((jsonb_typeof(query) = 'object') AND (octet_length((query)::text) <= 4096))
);
CREATE UNIQUE INDEX saved_views_name_key ON saved_views (tenant_id, user_id, page, lower(name));
CREATE UNIQUE INDEX saved_views_tenant_id_user_id_page_number_key ON saved_views (tenant_id, user_id, page, number);

CREATE TABLE setup_link (
  singleton boolean DEFAULT true NOT NULL,
  token_hash bytea NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT setup_link_pkey PRIMARY KEY (singleton),
  CONSTRAINT setup_link_life CHECK ((expires_at > created_at) AND (expires_at <= (created_at + '01:00:00'::interval))),
  CONSTRAINT setup_link_one_row CHECK (singleton),
  CONSTRAINT setup_link_token_hash_length CHECK (octet_length(token_hash) = 32)
);

CREATE TABLE invitations (
  id text NOT NULL COLLATE "C",
  tenant_id text NOT NULL COLLATE "C",
  email text NOT NULL,
  role "Role" NOT NULL,
  token_hash bytea NOT NULL,
  invited_by_id text COLLATE "C",
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  accepted_at timestamptz(3),
  revoked_at timestamptz(3),
  mailed_token_hash bytea,
  CONSTRAINT invitations_pkey PRIMARY KEY (id),
  CONSTRAINT invitations_email CHECK ((email = lower(email)) AND (char_length(email) BETWEEN 3 AND 320)),
  CONSTRAINT invitations_id_format CHECK (id ~ '^inv_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  CONSTRAINT invitations_life CHECK ((expires_at > created_at) AND ((accepted_at IS NULL) OR (revoked_at IS NULL))),
  CONSTRAINT invitations_mailed_token_hash_length CHECK (
    (octet_length(mailed_token_hash) = 32)
    AND (mailed_token_hash <> token_hash)
  ),
  CONSTRAINT invitations_token_hash_length CHECK (octet_length(token_hash) = 32)
);
CREATE INDEX invitations_invited_by_id_idx ON invitations (invited_by_id);
CREATE UNIQUE INDEX invitations_mailed_token_hash_key ON invitations (mailed_token_hash);
CREATE UNIQUE INDEX invitations_tenant_id_email_key ON invitations (tenant_id, email)
  WHERE ((accepted_at IS NULL) AND (revoked_at IS NULL));
CREATE UNIQUE INDEX invitations_token_hash_key ON invitations (token_hash);

CREATE TABLE mails (
  id text NOT NULL COLLATE "C",
  tenant_id text COLLATE "C",
  user_id text COLLATE "C",
  kind text NOT NULL,
  cause text NOT NULL,
  email text NOT NULL,
  sealed bytea,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  next_attempt_at timestamptz(3),
  leased_until timestamptz(3),
  attempts integer DEFAULT 0 NOT NULL,
  unanswered integer DEFAULT 0 NOT NULL,
  sent_at timestamptz(3),
  failed_at timestamptz(3),
  problem text,
  CONSTRAINT mails_pkey PRIMARY KEY (id),
  CONSTRAINT mails_attempts CHECK ((unanswered BETWEEN 0 AND 2) AND ((attempts >= unanswered) AND (attempts <= 40))),
  CONSTRAINT mails_cause CHECK (cause ~ '^[0-9A-Za-z_.: -]{1,120}$'),
  CONSTRAINT mails_email CHECK ((char_length(email) BETWEEN 3 AND 254) AND (email ~ '^[!-?A-~]+@[!-?A-~]+$')),
  CONSTRAINT mails_id_format CHECK (id ~ '^mal_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  CONSTRAINT mails_kind CHECK (kind ~ '^[a-z_]{1,40}$'),
  CONSTRAINT mails_life CHECK ((expires_at > created_at) AND (expires_at <= (created_at + '7 days'::interval))),
  CONSTRAINT mails_problem_length CHECK (char_length(problem) BETWEEN 1 AND 200),
  CONSTRAINT mails_sealed_length CHECK (octet_length(sealed) BETWEEN 28 AND 20000),
  CONSTRAINT mails_state CHECK (
    (num_nonnulls(next_attempt_at, sent_at, failed_at) = 1)
    AND ((sealed IS NULL) = (next_attempt_at IS NULL))
    AND ((leased_until IS NULL) OR (next_attempt_at IS NOT NULL))
  )
);
CREATE INDEX mails_due ON mails (next_attempt_at) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX mails_email_created_at_idx ON mails (email, created_at);
CREATE UNIQUE INDEX mails_kind_cause_email_key ON mails (kind, cause, email);
CREATE INDEX mails_tenant_id_created_at_idx ON mails (tenant_id, created_at);
CREATE INDEX mails_user_id_idx ON mails (user_id);

CREATE TABLE password_links (
  token_hash bytea NOT NULL,
  email text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  CONSTRAINT password_links_pkey PRIMARY KEY (token_hash),
  CONSTRAINT password_links_email CHECK ((char_length(email) BETWEEN 3 AND 254) AND (email ~ '^[!-?A-~]+@[!-?A-~]+$')),
  CONSTRAINT password_links_hash_length CHECK (octet_length(token_hash) = 32),
  CONSTRAINT password_links_life CHECK (
    (expires_at > created_at)
    AND (expires_at <= (created_at + '00:30:00'::interval))
  )
);
CREATE INDEX password_links_email_idx ON password_links (email);

CREATE TABLE address_links (
  token_hash bytea NOT NULL,
  user_id text NOT NULL COLLATE "C",
  email text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  CONSTRAINT address_links_pkey PRIMARY KEY (token_hash),
  CONSTRAINT address_links_email CHECK (
    (char_length(email) BETWEEN 3 AND 254)
    AND (email ~ '^[!-?A-~]+@[!-?A-~]+$')
    AND (email = lower((email COLLATE "C")))
  ),
  CONSTRAINT address_links_hash_length CHECK (octet_length(token_hash) = 32),
  CONSTRAINT address_links_life CHECK (
    (expires_at > created_at)
    AND (expires_at <= (created_at + '00:30:00'::interval))
  )
);
CREATE INDEX address_links_email_idx ON address_links (email);
CREATE INDEX address_links_user_id_idx ON address_links (user_id);

CREATE TABLE locations (
  id text NOT NULL COLLATE "C",
  tenant_id text NOT NULL COLLATE "C",
  name jsonb NOT NULL,
  line1 text NOT NULL,
  city text NOT NULL,
  postal_code text NOT NULL,
  country text NOT NULL,
  time_zone text NOT NULL,
  phone text,
  published boolean DEFAULT false NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  CONSTRAINT locations_pkey PRIMARY KEY (id),
  CONSTRAINT locations_address_length CHECK (
    ((char_length(line1) >= 1) AND (char_length(line1) <= 200))
    AND (char_length(city) BETWEEN 1 AND 200)
    AND (char_length(postal_code) BETWEEN 1 AND 20)
  ),
  CONSTRAINT locations_country_format CHECK (country ~ '^[A-Z]{2}$'),
  CONSTRAINT locations_id_format CHECK (id ~ '^loc_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  CONSTRAINT locations_name_translated CHECK (
    (jsonb_typeof(name) = 'object')
    AND (name <> '{}'::jsonb)
    AND (octet_length((name)::text) <= 16384)
    AND (NOT jsonb_path_exists(name, 'strict $.*?(!(@.type() == "string" && @ like_regex "^.{1,200}$" flag "s"))'::jsonpath, '{}'::jsonb, true))
  ),
  CONSTRAINT locations_phone_length CHECK (char_length(phone) BETWEEN 1 AND 40),
  CONSTRAINT locations_time_zone_format CHECK (time_zone ~ '^[A-Za-z0-9_+/-]{1,64}$'),
  CONSTRAINT locations_version CHECK (version >= 1)
);
CREATE UNIQUE INDEX locations_tenant_id_id_key ON locations (tenant_id, id);

CREATE TABLE location_hours (
  location_id text NOT NULL COLLATE "C",
  weekday smallint NOT NULL,
  opens text NOT NULL,
  closes text NOT NULL,
  CONSTRAINT location_hours_pkey PRIMARY KEY (location_id, weekday, opens),
  CONSTRAINT location_hours_times CHECK (
    (opens ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$')
    AND (closes ~ '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$')
  ),
  CONSTRAINT location_hours_weekday CHECK (weekday BETWEEN 1 AND 7)
);

CREATE TABLE location_exceptions (
  location_id text NOT NULL COLLATE "C",
  date date NOT NULL,
  hours jsonb NOT NULL,
  note text,
  CONSTRAINT location_exceptions_pkey PRIMARY KEY (location_id, date),
  CONSTRAINT location_exceptions_hours CHECK (
    (octet_length((hours)::text) <= 4096)
    AND (hours = jsonb_path_query_array(hours, 'strict $[*]?(@."opens" like_regex "^([01][0-9]|2[0-3]):[0-5][0-9]$" && @."closes" like_regex "^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$")'::jsonpath, '{}'::jsonb, true))
  ),
  CONSTRAINT location_exceptions_note_length CHECK (char_length(note) BETWEEN 1 AND 500)
);

CREATE TABLE services (
  id text NOT NULL COLLATE "C",
  tenant_id text NOT NULL COLLATE "C",
  name jsonb NOT NULL,
  description jsonb,
  category jsonb,
  duration_minutes integer NOT NULL,
  slot_interval_minutes integer NOT NULL,
  buffer_before_minutes integer DEFAULT 0 NOT NULL,
  buffer_after_minutes integer DEFAULT 0 NOT NULL,
  price_amount integer,
  price_currency text,
  capacity integer DEFAULT 1 NOT NULL,
  min_lead_minutes integer DEFAULT 0 NOT NULL,
  max_advance_days integer NOT NULL,
  cancellation_cutoff_minutes integer DEFAULT 0 NOT NULL,
  published boolean DEFAULT false NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  CONSTRAINT services_pkey PRIMARY KEY (id),
  CONSTRAINT services_advance CHECK (max_advance_days BETWEEN 1 AND 1825),
  CONSTRAINT services_buffers CHECK (
    (buffer_before_minutes BETWEEN 0 AND 1440)
    AND (buffer_after_minutes BETWEEN 0 AND 1440)
  ),
  CONSTRAINT services_capacity CHECK (capacity BETWEEN 1 AND 10000),
  CONSTRAINT services_category_translated CHECK (
    (jsonb_typeof(category) = 'object')
    AND (category <> '{}'::jsonb)
    AND (octet_length((category)::text) <= 16384)
    AND (NOT jsonb_path_exists(category, 'strict $.*?(!(@.type() == "string" && @ like_regex "^.{1,200}$" flag "s"))'::jsonpath, '{}'::jsonb, true))
  ),
  CONSTRAINT services_cutoff CHECK (cancellation_cutoff_minutes BETWEEN 0 AND 525600),
  CONSTRAINT services_description_translated CHECK (
    (jsonb_typeof(description) = 'object')
    AND (octet_length((description)::text) <= 65536)
    AND (NOT jsonb_path_exists(description, 'strict $.*?(!(@.type() == "string" && @ != ""))'::jsonpath, '{}'::jsonb, true))
  ),
  CONSTRAINT services_duration CHECK (duration_minutes BETWEEN 1 AND 1440),
  CONSTRAINT services_id_format CHECK (id ~ '^svc_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  CONSTRAINT services_lead CHECK (min_lead_minutes BETWEEN 0 AND 525600),
  CONSTRAINT services_name_translated CHECK (
    (jsonb_typeof(name) = 'object')
    AND (name <> '{}'::jsonb)
    AND (octet_length((name)::text) <= 16384)
    AND (NOT jsonb_path_exists(name, 'strict $.*?(!(@.type() == "string" && @ like_regex "^.{1,200}$" flag "s"))'::jsonpath, '{}'::jsonb, true))
  ),
  CONSTRAINT services_price_amount CHECK (price_amount >= 0),
  CONSTRAINT services_price_complete CHECK ((price_amount IS NULL) = (price_currency IS NULL)),
  CONSTRAINT services_price_currency CHECK (price_currency ~ '^[A-Z]{3}$'),
  CONSTRAINT services_slot_interval CHECK (slot_interval_minutes BETWEEN 1 AND 1440),
  CONSTRAINT services_version CHECK (version >= 1)
);
CREATE UNIQUE INDEX services_tenant_id_id_key ON services (tenant_id, id);

CREATE TABLE specialists (
  id text NOT NULL COLLATE "C",
  tenant_id text NOT NULL COLLATE "C",
  display_name text NOT NULL,
  title jsonb,
  description jsonb,
  image_url text,
  published boolean DEFAULT false NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  CONSTRAINT specialists_pkey PRIMARY KEY (id),
  CONSTRAINT specialists_description_translated CHECK (
    (jsonb_typeof(description) = 'object')
    AND (octet_length((description)::text) <= 65536)
    AND (NOT jsonb_path_exists(description, 'strict $.*?(!(@.type() == "string" && @ != ""))'::jsonpath, '{}'::jsonb, true))
  ),
  CONSTRAINT specialists_display_name_length CHECK (char_length(display_name) BETWEEN 1 AND 200),
  CONSTRAINT specialists_id_format CHECK (id ~ '^spc_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  CONSTRAINT specialists_image_url CHECK (
    (image_url ~ '^https?://[^[:space:]]+$')
    AND (char_length(image_url) <= 2048)
  ),
  CONSTRAINT specialists_title_translated CHECK (
    (jsonb_typeof(title) = 'object')
    AND (title <> '{}'::jsonb)
    AND (octet_length((title)::text) <= 16384)
    AND (NOT jsonb_path_exists(title, 'strict $.*?(!(@.type() == "string" && @ like_regex "^.{1,200}$" flag "s"))'::jsonpath, '{}'::jsonb, true))
  ),
  CONSTRAINT specialists_version CHECK (version >= 1)
);
CREATE UNIQUE INDEX specialists_tenant_id_id_key ON specialists (tenant_id, id);

CREATE TABLE offerings (
  tenant_id text NOT NULL COLLATE "C",
  specialist_id text NOT NULL COLLATE "C",
  service_id text NOT NULL COLLATE "C",
  location_id text NOT NULL COLLATE "C",
  CONSTRAINT offerings_pkey PRIMARY KEY (specialist_id, service_id, location_id)
);
CREATE INDEX offerings_tenant_id_location_id_idx ON offerings (tenant_id, location_id);
CREATE INDEX offerings_tenant_id_service_id_idx ON offerings (tenant_id, service_id);

CREATE TABLE specialist_hours (
  tenant_id text NOT NULL COLLATE "C",
  specialist_id text NOT NULL COLLATE "C",
  location_id text NOT NULL COLLATE "C",
  weekday smallint NOT NULL,
  opens text NOT NULL,
  closes text NOT NULL,
  CONSTRAINT specialist_hours_pkey PRIMARY KEY (specialist_id, location_id, weekday, opens),
  CONSTRAINT specialist_hours_times CHECK (
    (opens ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$')
    AND (closes ~ '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$')
  ),
  CONSTRAINT specialist_hours_weekday CHECK (weekday BETWEEN 1 AND 7)
);
CREATE INDEX specialist_hours_tenant_id_location_id_idx ON specialist_hours (tenant_id, location_id);

CREATE TABLE specialist_breaks (
  specialist_id text NOT NULL COLLATE "C",
  weekday smallint NOT NULL,
  opens text NOT NULL,
  closes text NOT NULL,
  CONSTRAINT specialist_breaks_pkey PRIMARY KEY (specialist_id, weekday, opens),
  CONSTRAINT specialist_breaks_times CHECK (
    (opens ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$')
    AND (closes ~ '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$')
  ),
  CONSTRAINT specialist_breaks_weekday CHECK (weekday BETWEEN 1 AND 7)
);

CREATE TABLE specialist_exceptions (
  tenant_id text NOT NULL COLLATE "C",
  specialist_id text NOT NULL COLLATE "C",
  location_id text NOT NULL COLLATE "C",
  date date NOT NULL,
  hours jsonb NOT NULL,
  note text,
  CONSTRAINT specialist_exceptions_pkey PRIMARY KEY (specialist_id, location_id, date),
  CONSTRAINT specialist_exceptions_hours CHECK (
    (octet_length((hours)::text) <= 4096)
    AND (hours = jsonb_path_query_array(hours, 'strict $[*]?(@."opens" like_regex "^([01][0-9]|2[0-3]):[0-5][0-9]$" && @."closes" like_regex "^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$")'::jsonpath, '{}'::jsonb, true))
  ),
  CONSTRAINT specialist_exceptions_note_length CHECK (char_length(note) BETWEEN 1 AND 500)
);
CREATE INDEX specialist_exceptions_tenant_id_location_id_idx ON specialist_exceptions (tenant_id, location_id);

CREATE TABLE specialist_time_off (
  specialist_id text NOT NULL COLLATE "C",
  starts_at timestamp(0) without time zone NOT NULL,
  ends_at timestamp(0) without time zone NOT NULL,
  CONSTRAINT specialist_time_off_pkey PRIMARY KEY (specialist_id, starts_at),
  CONSTRAINT specialist_time_off_ends_after_start CHECK (ends_at > starts_at)
);

CREATE TABLE blocks (
  id text NOT NULL COLLATE "C",
  tenant_id text NOT NULL COLLATE "C",
  specialist_id text COLLATE "C",
  location_id text COLLATE "C",
  subject_id text NOT NULL COLLATE "C",
  starts_at timestamp(0) without time zone NOT NULL,
  ends_at timestamp(0) without time zone NOT NULL,
  every_weeks smallint,
  weekdays smallint[] DEFAULT ARRAY[]::smallint[] NOT NULL,
  until date,
  last_day date NOT NULL,
  reason text,
  source text NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  created_by_id text COLLATE "C",
  created_at timestamptz(3) NOT NULL,
  calendar_id text COLLATE "C",
  application_id text COLLATE "C",
  external_id text COLLATE "C",
  pushed_location_id text COLLATE "C",
  pushed_from timestamptz(3),
  pushed_to timestamptz(3),
  changed_at timestamptz(3),
  CONSTRAINT blocks_pkey PRIMARY KEY (id),
  CONSTRAINT blocks_id_format CHECK (id ~ '^blk_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  CONSTRAINT blocks_last_day CHECK (
    (last_day >= (starts_at)::date)
    AND (last_day <= COALESCE((until + 1), (ends_at)::date))
  ),
  CONSTRAINT blocks_pushed CHECK (
    (num_nonnulls(application_id, external_id, pushed_location_id, pushed_from, pushed_to) =
CASE
    WHEN (source = 'system') THEN 5
    ELSE 0
END)
    AND (external_id ~ '^[A-Za-z0-9_.~-]{1,100}$')
    AND (pushed_from < pushed_to)
  ),
  CONSTRAINT blocks_range CHECK (
    (starts_at < ends_at)
    AND (ends_at <= (starts_at + '366 days'::interval))
    AND (starts_at >= '2000-01-01 00:00:00'::timestamp without time zone)
    AND (ends_at <= '2200-01-01 00:00:00'::timestamp without time zone)
    AND (date_trunc('minute', starts_at) = starts_at)
    AND (date_trunc('minute', ends_at) = ends_at)
  ),
  CONSTRAINT blocks_reason_length CHECK (char_length(reason) BETWEEN 1 AND 200),
  CONSTRAINT blocks_repeat CHECK (
    ((num_nonnulls(every_weeks, until) = 0) AND (weekdays = '{}'::smallint[]))
    OR (
      (num_nonnulls(every_weeks, until) = 2)
      AND (every_weeks BETWEEN 1 AND 52)
      AND (cardinality(weekdays) BETWEEN 1 AND 7)
      AND (array_position(weekdays, NULL::smallint) IS NULL)
      AND (weekdays <@ '{1,2,3,4,5,6,7}'::smallint[])
      AND ((until >= (starts_at)::date) AND (until <= ((starts_at)::date + 731)))
      AND (ends_at <= (starts_at + '1 day'::interval))
    )
  ),
  CONSTRAINT blocks_source CHECK (
    (source IN ('owner', 'calendar', 'calendar_outage', 'system'))
    AND ((source ~~ 'calendar%') = (calendar_id IS NOT NULL))
  ),
  CONSTRAINT blocks_subject CHECK (
    (num_nonnulls(specialist_id, location_id) <= 1)
    AND (subject_id = COALESCE(specialist_id, location_id, tenant_id))
  )
);
CREATE UNIQUE INDEX blocks_application_id_external_id_key ON blocks (application_id, external_id);
CREATE UNIQUE INDEX blocks_calendar_id_source_starts_at_ends_at_key ON blocks (calendar_id, source, starts_at, ends_at);
CREATE INDEX blocks_tenant_id_last_day_idx ON blocks (tenant_id, last_day);
CREATE INDEX blocks_tenant_id_location_id_idx ON blocks (tenant_id, location_id);
CREATE INDEX blocks_tenant_id_specialist_id_idx ON blocks (tenant_id, specialist_id);
CREATE UNIQUE INDEX blocks_tenant_id_subject_id_id_key ON blocks (tenant_id, subject_id, id);

CREATE TABLE block_days (
  tenant_id text NOT NULL COLLATE "C",
  subject_id text NOT NULL COLLATE "C",
  block_id text NOT NULL COLLATE "C",
  day date NOT NULL,
  from_minute smallint NOT NULL,
  to_minute smallint NOT NULL,
  CONSTRAINT block_days_pkey PRIMARY KEY (subject_id, day, from_minute, block_id),
  CONSTRAINT block_days_minutes CHECK ((0 <= from_minute) AND (from_minute < to_minute) AND (to_minute <= 1440))
);
CREATE INDEX block_days_tenant_id_subject_id_block_id_idx ON block_days (tenant_id, subject_id, block_id);

CREATE TABLE applications (
  id text NOT NULL COLLATE "C",
  tenant_id text NOT NULL COLLATE "C",
  name text NOT NULL,
  scopes text[] DEFAULT ARRAY[]::text[] NOT NULL,
  all_locations boolean DEFAULT false NOT NULL,
  origins text[] DEFAULT ARRAY[]::text[] NOT NULL,
  networks text[] DEFAULT ARRAY[]::text[] NOT NULL,
  quota integer DEFAULT 600 NOT NULL,
  suspended_at timestamptz(3),
  version integer DEFAULT 1 NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  own_system boolean DEFAULT false NOT NULL,
  clock_offset_seconds integer DEFAULT 0 NOT NULL,
  agents_ask boolean DEFAULT true NOT NULL,
  CONSTRAINT applications_pkey PRIMARY KEY (id),
  CONSTRAINT applications_clock_offset CHECK (clock_offset_seconds BETWEEN 0 AND 31536000),
  CONSTRAINT applications_id_format CHECK (id ~ '^app_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  CONSTRAINT applications_name_length CHECK (char_length(name) BETWEEN 1 AND 200),
  CONSTRAINT applications_networks CHECK (
    (cardinality(networks) <= 100)
    AND (networks = string_to_array(array_to_string(networks, ' '), ' '))
    AND (array_to_string(networks, ' ') ~ '^([0-9A-Fa-f.:]{2,45}(/[0-9]{1,3})?( [0-9A-Fa-f.:]{2,45}(/[0-9]{1,3})?)*)?$')
  ),
  CONSTRAINT applications_origins CHECK (
    (cardinality(origins) <= 100)
    AND (origins = string_to_array(array_to_string(origins, ' '), ' '))
    AND (array_to_string(origins, ' ') ~ '^(https?://[^/[:space:]]{1,255}( https?://[^/[:space:]]{1,255})*)?$')
  ),
  CONSTRAINT applications_own_system CHECK (own_system = ('busy.write' = ANY (scopes))),
  CONSTRAINT applications_quota CHECK (quota BETWEEN 1 AND 1000000),
  CONSTRAINT applications_scopes CHECK (
    (cardinality(scopes) <= 6)
    AND (scopes <@ ARRAY['catalog.read', 'availability.read', 'booking.create', 'booking.manage', 'webhooks.manage', 'busy.write'])
  ),
  CONSTRAINT applications_version CHECK (version >= 1)
);
CREATE UNIQUE INDEX applications_tenant_id_id_key ON applications (tenant_id, id);

CREATE TABLE readiness_records (
  tenant_id text NOT NULL COLLATE "C",
  application_id text NOT NULL COLLATE "C",
  kind text NOT NULL COLLATE "C",
  at timestamptz(3) NOT NULL,
  value jsonb NOT NULL,
  CONSTRAINT readiness_records_pkey PRIMARY KEY (application_id, kind),
  CONSTRAINT readiness_records_kind CHECK (kind IN ('certificate', 'conformance', 'signature')),
  CONSTRAINT readiness_records_value CHECK (
    (jsonb_typeof(value) = 'object')
    AND (octet_length((value)::text) <= 16384)
  )
);

CREATE TABLE application_locations (
  tenant_id text NOT NULL COLLATE "C",
  application_id text NOT NULL COLLATE "C",
  location_id text NOT NULL COLLATE "C",
  CONSTRAINT application_locations_pkey PRIMARY KEY (application_id, location_id)
);
CREATE INDEX application_locations_tenant_id_location_id_idx ON application_locations (tenant_id, location_id);

CREATE TABLE api_keys (
  id text NOT NULL COLLATE "C",
  application_id text NOT NULL COLLATE "C",
  name text NOT NULL,
  key_hash bytea NOT NULL,
  prefix text NOT NULL,
  last_four text NOT NULL,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  rotated_to_id text COLLATE "C",
  overlap_ends_at timestamptz(3),
  created_by_id text COLLATE "C",
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  last_used_at timestamptz(3),
  start text COLLATE "C",
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_expiry_after_creation CHECK (expires_at > created_at),
  CONSTRAINT api_keys_hash_length CHECK (octet_length(key_hash) = 32),
  CONSTRAINT api_keys_id_format CHECK (id ~ '^key_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  CONSTRAINT api_keys_last_four CHECK (last_four ~ '^[0-9A-Za-z]{4}$'),
  CONSTRAINT api_keys_name_length CHECK (char_length(name) BETWEEN 1 AND 200),
  CONSTRAINT api_keys_overlap_within_expiry CHECK (overlap_ends_at <= expires_at),
  CONSTRAINT api_keys_prefix CHECK (prefix IN ('pbk_test_', 'pbk_live_')),
  CONSTRAINT api_keys_rotated_to_another CHECK (rotated_to_id <> id),
  CONSTRAINT api_keys_rotation_complete CHECK ((rotated_to_id IS NULL) = (overlap_ends_at IS NULL)),
  CONSTRAINT api_keys_start CHECK ((start ~ '^pbk_(test|live)_[0-9A-Za-z]{12}$') AND starts_with(start, prefix))
);
CREATE UNIQUE INDEX api_keys_application_id_id_key ON api_keys (application_id, id);
CREATE UNIQUE INDEX api_keys_application_id_rotated_to_id_key ON api_keys (application_id, rotated_to_id);
CREATE UNIQUE INDEX api_keys_key_hash_key ON api_keys (key_hash);

CREATE TABLE slot_claims (
  id uuid NOT NULL,
  tenant_id text NOT NULL COLLATE "C",
  specialist_id text NOT NULL COLLATE "C",
  service_id text NOT NULL COLLATE "C",
  location_id text NOT NULL COLLATE "C",
  starts_at timestamptz(0) NOT NULL,
  ends_at timestamptz(0) NOT NULL,
  during tstzrange NOT NULL,
  capacity integer NOT NULL,
  taken integer NOT NULL,
  overlapping tstzrange,
  CONSTRAINT slot_claims_no_overlap EXCLUDE USING gist (specialist_id WITH =, during WITH &&),
  CONSTRAINT slot_claims_pkey PRIMARY KEY (id),
  CONSTRAINT slot_claims_seats CHECK ((capacity BETWEEN 1 AND 10000) AND ((taken >= 1) AND (taken <= capacity))),
  CONSTRAINT slot_claims_times CHECK (
    (starts_at < ends_at)
    AND (isempty(during) = (overlapping IS NOT NULL))
    AND (NOT isempty(COALESCE(overlapping, during)))
    AND (NOT lower_inf(COALESCE(overlapping, during)))
    AND (NOT upper_inf(COALESCE(overlapping, during)))
    AND lower_inc(COALESCE(overlapping, during))
    AND (NOT upper_inc(COALESCE(overlapping, during)))
    AND isfinite(lower(COALESCE(overlapping, during)))
    AND isfinite(upper(COALESCE(overlapping, during)))
    AND (lower(COALESCE(overlapping, during)) <= starts_at)
    AND (ends_at <= upper(COALESCE(overlapping, during)))
  )
);
CREATE INDEX slot_claims_overlapping ON slot_claims USING gist (specialist_id, overlapping)
  WHERE (overlapping IS NOT NULL);

CREATE TABLE bookings (
  reference text NOT NULL COLLATE "C",
  tenant_id text NOT NULL COLLATE "C",
  application_id text COLLATE "C",
  claim_id uuid,
  status "BookingStatus" DEFAULT 'confirmed' NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  service_id text NOT NULL COLLATE "C",
  location_id text NOT NULL COLLATE "C",
  specialist_id text NOT NULL COLLATE "C",
  starts_at timestamptz(0) NOT NULL,
  ends_at timestamptz(0) NOT NULL,
  time_zone text NOT NULL,
  cancellation_cutoff_minutes integer NOT NULL,
  external_reference text NOT NULL,
  consent_at timestamptz(3) NOT NULL,
  customer_name bytea,
  customer_phone bytea,
  cancelled_at timestamptz(3),
  cancelled_by text,
  cancel_reason text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  claim_removed_at timestamptz(3),
  phone_hash bytea,
  date date,
  start_time time(0),
  zone_rules text,
  local_version integer,
  price_amount integer,
  price_currency text,
  consent_source text,
  consent_text_version text,
  consent_withdrawn_at timestamptz(3),
  end_date date,
  end_time time(0),
  source "BookingSource" DEFAULT 'partner' NOT NULL,
  note bytea,
  name_hashes bytea[],
  customer_email bytea,
  customer_locale text,
  metadata bytea,
  CONSTRAINT bookings_pkey PRIMARY KEY (reference),
  CONSTRAINT bookings_cancellation CHECK (
    ((cancelled_at IS NULL) = (status <> 'cancelled'::"BookingStatus"))
    AND ((cancelled_by IS NULL) = (status <> 'cancelled'::"BookingStatus"))
    AND ((cancelled_by IN ('partner', 'owner')) IS NOT FALSE)
    AND (
      (cancel_reason IS NULL)
      OR ((status = 'cancelled'::"BookingStatus") AND (cancel_reason IN ('customer_request', 'duplicate', 'other')))
    )
  ),
  CONSTRAINT bookings_claim_removal CHECK ((claim_removed_at > ends_at) IS NOT FALSE),
  CONSTRAINT bookings_consent_source CHECK (length(consent_source) BETWEEN 1 AND 100),
  CONSTRAINT bookings_consent_text_version CHECK (length(consent_text_version) BETWEEN 1 AND 100),
  CONSTRAINT bookings_consent_withdrawn CHECK (consent_withdrawn_at >= consent_at),
  CONSTRAINT bookings_customer CHECK ((customer_name IS NULL) = (customer_phone IS NULL)),
  CONSTRAINT bookings_customer_email CHECK (
    (customer_email IS NULL)
    OR ((customer_phone IS NOT NULL) AND (octet_length(customer_email) BETWEEN 1 AND 512))
  ),
  CONSTRAINT bookings_customer_locale CHECK (
    (customer_locale IS NULL)
    OR ((customer_phone IS NOT NULL) AND (char_length(customer_locale) BETWEEN 1 AND 100))
  ),
  CONSTRAINT bookings_external_reference CHECK (char_length(external_reference) BETWEEN 1 AND 128),
  CONSTRAINT bookings_local_end CHECK (
    (num_nulls(end_date, end_time) IN (0, 2))
    AND (EXTRACT(second FROM end_time) = (0)::numeric)
    AND ((end_time IS NULL) OR (start_time IS NOT NULL))
  ),
  CONSTRAINT bookings_local_time CHECK (
    (num_nulls(date, start_time, local_version) IN (0, 3))
    AND (zone_rules ~ '^[0-9]{4}[a-z]{1,2}$')
    AND (EXTRACT(second FROM start_time) = (0)::numeric)
    AND (local_version >= 1)
  ),
  CONSTRAINT bookings_metadata CHECK (
    (metadata IS NULL)
    OR ((customer_phone IS NOT NULL) AND (octet_length(metadata) BETWEEN 1 AND 20480))
  ),
  CONSTRAINT bookings_name_hashes CHECK (
    (name_hashes IS NULL)
    OR (
      (customer_name IS NOT NULL)
      AND (cardinality(name_hashes) <= 8)
      AND (array_position(name_hashes, NULL::bytea) IS NULL)
      AND (8 = ALL (ARRAY[octet_length(name_hashes[1]), octet_length(name_hashes[2]), octet_length(name_hashes[3]), octet_length(name_hashes[4]), octet_length(name_hashes[5]), octet_length(name_hashes[6]), octet_length(name_hashes[7]), octet_length(name_hashes[8])]))
    )
  ),
  CONSTRAINT bookings_note CHECK (
    (note IS NULL)
    OR ((customer_phone IS NOT NULL) AND (octet_length(note) BETWEEN 1 AND 8192))
  ),
  CONSTRAINT bookings_phone_hash CHECK (
    (phone_hash IS NULL)
    OR ((customer_phone IS NOT NULL) AND (octet_length(phone_hash) = 16))
  ),
  CONSTRAINT bookings_price_amount CHECK (price_amount >= 0),
  CONSTRAINT bookings_price_complete CHECK ((price_amount IS NULL) = (price_currency IS NULL)),
  CONSTRAINT bookings_price_currency CHECK (price_currency ~ '^[A-Z]{3}$'),
  CONSTRAINT bookings_reference_format CHECK (reference ~ '^pbr_[0-9a-hjkmnp-tv-z]{26}$'),
  CONSTRAINT bookings_seat CHECK ((claim_id IS NULL) = ((status = 'cancelled'::"BookingStatus") OR (claim_removed_at IS NOT NULL))),
  CONSTRAINT bookings_source CHECK ((source = 'business'::"BookingSource") = (application_id IS NULL)),
  CONSTRAINT bookings_times CHECK (
    (starts_at < ends_at)
    AND isfinite(starts_at)
    AND isfinite(ends_at)
    AND (cancellation_cutoff_minutes >= 0)
  ),
  CONSTRAINT bookings_version CHECK (version >= 1)
);
CREATE INDEX bookings_claim_id_idx ON bookings (claim_id);
CREATE INDEX bookings_tenant_id_application_id_starts_at_idx ON bookings (tenant_id, application_id, starts_at);
CREATE INDEX bookings_tenant_id_created_at_idx ON bookings (tenant_id, created_at);
CREATE INDEX bookings_tenant_id_ends_at_idx ON bookings (tenant_id, ends_at) WHERE (customer_name IS NOT NULL);
CREATE INDEX bookings_tenant_id_external_reference_idx ON bookings (tenant_id, lower(external_reference), application_id, created_at, reference);
CREATE INDEX bookings_tenant_id_location_id_starts_at_idx ON bookings (tenant_id, location_id, starts_at);
CREATE INDEX bookings_tenant_id_phone_hash_starts_at_idx ON bookings (tenant_id, phone_hash, starts_at)
  WHERE (phone_hash IS NOT NULL);
CREATE INDEX bookings_tenant_id_service_id_starts_at_idx ON bookings (tenant_id, service_id, starts_at);
CREATE INDEX bookings_tenant_id_specialist_id_starts_at_idx ON bookings (tenant_id, specialist_id, starts_at);
CREATE INDEX bookings_tenant_id_starts_at_idx ON bookings (tenant_id, starts_at);
CREATE INDEX bookings_tenant_id_status_starts_at_idx ON bookings (tenant_id, status, starts_at);
CREATE INDEX bookings_withdrawn_contacts ON bookings (tenant_id, ends_at)
  WHERE ((consent_withdrawn_at IS NOT NULL) AND (customer_name IS NOT NULL));
CREATE INDEX bookings_without_local_times ON bookings (reference)
  WHERE ((local_version IS DISTINCT FROM version) OR (end_time IS NULL));
CREATE INDEX bookings_without_name_hashes ON bookings (reference)
  WHERE ((name_hashes IS NULL) AND (customer_phone IS NOT NULL));

CREATE TABLE calendars (
  id text NOT NULL COLLATE "C",
  tenant_id text NOT NULL COLLATE "C",
  specialist_id text COLLATE "C",
  location_id text COLLATE "C",
  subject_id text NOT NULL COLLATE "C",
  name text NOT NULL,
  url bytea,
  show_titles boolean NOT NULL,
  block_when_stale boolean NOT NULL,
  etag text,
  last_modified text,
  read_at timestamptz(3),
  read_until date,
  read_zones text[] DEFAULT ARRAY[]::text[] NOT NULL,
  busy_times integer DEFAULT 0 NOT NULL,
  unread_entries integer DEFAULT 0 NOT NULL,
  last_success_at timestamptz(3),
  last_attempt_at timestamptz(3),
  failures integer DEFAULT 0 NOT NULL,
  problem text,
  next_attempt_at timestamptz(3),
  leased_until timestamptz(3),
  generation integer DEFAULT 0 NOT NULL,
  created_at timestamptz(3) NOT NULL,
  removed_at timestamptz(3),
  CONSTRAINT calendars_pkey PRIMARY KEY (id),
  CONSTRAINT calendars_attempts CHECK (
    ((next_attempt_at IS NULL) = ((url IS NULL) OR (removed_at IS NOT NULL)))
    AND ((leased_until IS NULL) OR (next_attempt_at IS NOT NULL))
    AND (failures >= 0)
    AND ((failures = 0) = (problem IS NULL))
  ),
  CONSTRAINT calendars_counts CHECK ((busy_times BETWEEN 0 AND 20000) AND (unread_entries BETWEEN 0 AND 20000)),
  CONSTRAINT calendars_id_format CHECK (id ~ '^cld_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  CONSTRAINT calendars_name_length CHECK (char_length(name) BETWEEN 1 AND 100),
  CONSTRAINT calendars_problem CHECK (problem ~ '^[a-z_]{1,40}$'),
  CONSTRAINT calendars_subject CHECK (
    (num_nonnulls(specialist_id, location_id) = 1)
    AND (subject_id = COALESCE(specialist_id, location_id))
  ),
  CONSTRAINT calendars_url_length CHECK (octet_length(url) BETWEEN 29 AND 8400),
  CONSTRAINT calendars_validators_length CHECK ((char_length(etag) <= 256) AND (char_length(last_modified) <= 256))
);
CREATE INDEX calendars_due ON calendars (next_attempt_at) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX calendars_tenant_id_location_id_idx ON calendars (tenant_id, location_id);
CREATE INDEX calendars_tenant_id_specialist_id_idx ON calendars (tenant_id, specialist_id);
CREATE UNIQUE INDEX calendars_tenant_id_subject_id_id_key ON calendars (tenant_id, subject_id, id);

CREATE TABLE calendar_feeds (
  id text NOT NULL COLLATE "C",
  tenant_id text NOT NULL COLLATE "C",
  specialist_id text COLLATE "C",
  location_id text COLLATE "C",
  token_hash bytea NOT NULL,
  created_at timestamptz(3) NOT NULL,
  issued_at timestamptz(3) NOT NULL,
  last_read_at timestamptz(3),
  CONSTRAINT calendar_feeds_pkey PRIMARY KEY (id),
  CONSTRAINT calendar_feeds_hash_length CHECK (octet_length(token_hash) = 32),
  CONSTRAINT calendar_feeds_id_format CHECK (id ~ '^cal_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  CONSTRAINT calendar_feeds_subject CHECK (num_nonnulls(specialist_id, location_id) <= 1)
);
CREATE UNIQUE INDEX calendar_feeds_tenant_id_specialist_id_location_id_key ON calendar_feeds (tenant_id, specialist_id, location_id) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX calendar_feeds_token_hash_key ON calendar_feeds (token_hash);

CREATE TABLE idempotency_keys (
  application_id text NOT NULL COLLATE "C",
  key_hash bytea NOT NULL,
  fingerprint bytea NOT NULL,
  request_id text NOT NULL COLLATE "C",
  status smallint,
  response bytea,
  booking_reference text COLLATE "C",
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (application_id, key_hash),
  CONSTRAINT idempotency_keys_hashes CHECK ((octet_length(key_hash) = 32) AND (octet_length(fingerprint) = 32)),
  CONSTRAINT idempotency_keys_life CHECK (expires_at > created_at),
  CONSTRAINT idempotency_keys_success CHECK (
    ((status IS NULL) = (response IS NULL))
    AND ((status IN (200, 201, 202)) IS NOT FALSE) AND
CASE status
    WHEN 200 THEN true
    WHEN 201 THEN (booking_reference IS NOT NULL)
    ELSE (booking_reference IS NULL)
END
  )
);
CREATE INDEX idempotency_keys_booking_reference_idx ON idempotency_keys (booking_reference);
CREATE INDEX idempotency_keys_expires_at_idx ON idempotency_keys (expires_at);

CREATE TABLE events (
  id text NOT NULL COLLATE "C",
  tenant_id text NOT NULL COLLATE "C",
  application_id text COLLATE "C",
  type text NOT NULL,
  booking_reference text COLLATE "C",
  version integer,
  actor text NOT NULL,
  request_id text COLLATE "C",
  payload text NOT NULL,
  at timestamptz(3) NOT NULL,
  CONSTRAINT events_pkey PRIMARY KEY (id),
  CONSTRAINT events_actor CHECK (actor IN ('partner', 'owner', 'system')),
  CONSTRAINT events_application CHECK ((application_id IS NOT NULL) OR (booking_reference IS NOT NULL)),
  CONSTRAINT events_id_format CHECK (id ~ '^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  CONSTRAINT events_payload_length CHECK (char_length(payload) BETWEEN 2 AND 16384),
  CONSTRAINT events_type CHECK (
    (type IN ('booking.created', 'booking.rescheduled', 'booking.updated', 'booking.cancelled', 'booking.completed', 'booking.no_show', 'booking.upcoming', 'availability.changed', 'catalog.changed', 'webhook.test'))
    AND ((type IN ('availability.changed', 'catalog.changed', 'webhook.test')) = (booking_reference IS NULL))
    AND ((type IN ('booking.upcoming', 'availability.changed', 'catalog.changed', 'webhook.test')) = (version IS NULL))
    AND ((version >= 1) IS NOT FALSE)
  )
);
CREATE UNIQUE INDEX events_booking_reference_version_key ON events (booking_reference, version);
CREATE INDEX events_request_id_idx ON events (request_id);
CREATE INDEX events_tenant_id_at_idx ON events (tenant_id, at DESC);

CREATE TABLE event_counters (
  application_id text NOT NULL COLLATE "C",
  tenant_id text NOT NULL COLLATE "C",
  last bigint NOT NULL,
  committed_at timestamptz(3) NOT NULL,
  CONSTRAINT event_counters_pkey PRIMARY KEY (application_id),
  CONSTRAINT event_counters_last CHECK (last BETWEEN 1 AND '9007199254740991'::bigint)
) WITH (fillfactor='50');

CREATE TABLE event_sequences (
  application_id text NOT NULL COLLATE "C",
  sequence bigint NOT NULL,
  tenant_id text NOT NULL COLLATE "C",
  event_id text NOT NULL COLLATE "C",
  committed_at timestamptz(3) NOT NULL,
  CONSTRAINT event_sequences_pkey PRIMARY KEY (application_id, sequence),
  CONSTRAINT event_sequences_sequence CHECK (sequence BETWEEN 1 AND '9007199254740991'::bigint)
);
CREATE INDEX event_sequences_application_id_committed_at_idx ON event_sequences (application_id, committed_at);
CREATE UNIQUE INDEX event_sequences_event_id_key ON event_sequences (event_id);

CREATE TABLE change_watches (
  application_id text NOT NULL COLLATE "C",
  tenant_id text NOT NULL COLLATE "C",
  types text[] NOT NULL,
  next_at timestamptz(3) NOT NULL,
  missed boolean DEFAULT true NOT NULL,
  catalog_version uuid,
  policy_version uuid,
  catalog bytea,
  schedules jsonb DEFAULT '{}' NOT NULL,
  CONSTRAINT change_watches_pkey PRIMARY KEY (application_id),
  CONSTRAINT change_watches_catalog CHECK (octet_length(catalog) = 32),
  CONSTRAINT change_watches_schedules CHECK (jsonb_typeof(schedules) = 'object'),
  CONSTRAINT change_watches_types CHECK (
    (types <@ ARRAY['availability.changed', 'catalog.changed'])
    AND (cardinality(types) BETWEEN 1 AND 2)
    AND (array_position(types, NULL::text) IS NULL)
  )
) WITH (fillfactor='50');
CREATE INDEX change_watches_tenant_id_idx ON change_watches (tenant_id);

CREATE TABLE slot_changes (
  tenant_id text NOT NULL COLLATE "C",
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  subject_id text NOT NULL COLLATE "C",
  local boolean NOT NULL,
  from_minute bigint NOT NULL,
  to_minute bigint NOT NULL,
  CONSTRAINT slot_changes_pkey PRIMARY KEY (tenant_id, id),
  CONSTRAINT slot_changes_range CHECK (from_minute < to_minute)
);

CREATE TABLE request_log (
  request_id text NOT NULL COLLATE "C",
  at timestamptz(3) NOT NULL,
  tenant_id text COLLATE "C",
  application_id text COLLATE "C",
  key_id text COLLATE "C",
  method text NOT NULL,
  route text,
  path text,
  status smallint NOT NULL,
  code text,
  reason text,
  invalid_fields text[] DEFAULT ARRAY[]::text[] NOT NULL,
  duration_ms real NOT NULL,
  address text,
  origin text,
  user_agent text,
  idempotency_key_hash bytea,
  replayed_from text,
  booking_reference text,
  external_reference text,
  refused jsonb,
  CONSTRAINT request_log_pkey PRIMARY KEY (request_id),
  CONSTRAINT request_log_duration CHECK (duration_ms >= (0)::double precision),
  CONSTRAINT request_log_id_format CHECK (request_id ~ '^req_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  CONSTRAINT request_log_idempotency_hash_length CHECK (octet_length(idempotency_key_hash) = 32),
  CONSTRAINT request_log_known_together CHECK (
    ((tenant_id IS NULL) = (application_id IS NULL))
    AND ((key_id IS NULL) OR (application_id IS NOT NULL))
  ),
  CONSTRAINT request_log_refused CHECK (
    (refused IS NULL)
    OR (
      (status BETWEEN 400 AND 499)
      AND (tenant_id IS NOT NULL)
      AND ((refused - ARRAY['service_id', 'location_id', 'specialist_id', 'date', 'start_time']) = '{}'::jsonb)
      AND COALESCE(((refused ->> 'service_id') ~ '^svc_[0-7][0-9a-hjkmnp-tv-z]{25}$'), true)
      AND COALESCE(((refused ->> 'location_id') ~ '^loc_[0-7][0-9a-hjkmnp-tv-z]{25}$'), true)
      AND COALESCE(((refused ->> 'specialist_id') ~ '^spc_[0-7][0-9a-hjkmnp-tv-z]{25}$'), true)
      AND COALESCE(((refused ->> 'date') ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'), true)
      AND COALESCE(((refused ->> 'start_time') ~ '^[0-9]{2}:[0-9]{2}$'), true)
    )
  ),
  CONSTRAINT request_log_status CHECK (status BETWEEN 100 AND 599),
  CONSTRAINT request_log_unknown_without_address CHECK ((tenant_id IS NOT NULL) OR (address IS NULL))
) PARTITION BY RANGE (request_id);
-- Contains the entries of days that have no partition. Without this table, their insertion would fail.
CREATE TABLE request_log_default PARTITION OF request_log DEFAULT WITH (autovacuum_vacuum_insert_scale_factor = 0.02);
CREATE INDEX request_log_application_id_idempotency_key_hash_idx ON request_log (application_id, idempotency_key_hash)
  WHERE (idempotency_key_hash IS NOT NULL);
CREATE INDEX request_log_at_idx ON request_log USING brin (at);
CREATE INDEX request_log_replayed_from_idx ON request_log (replayed_from) WHERE (replayed_from IS NOT NULL);
CREATE INDEX request_log_tenant_id_application_id_at_status_idx ON request_log (tenant_id, application_id, at DESC, status)
  WHERE (tenant_id IS NOT NULL);
CREATE INDEX request_log_tenant_id_application_id_status_at_idx ON request_log (tenant_id, application_id, status, at DESC)
  WHERE (status >= 400);
CREATE INDEX request_log_tenant_id_at_status_idx ON request_log (tenant_id, at DESC, status)
  WHERE (tenant_id IS NOT NULL);
CREATE INDEX request_log_tenant_id_booking_reference_idx ON request_log (tenant_id, booking_reference)
  WHERE (booking_reference IS NOT NULL);
CREATE INDEX request_log_tenant_id_code_at_status_idx ON request_log (tenant_id, code, at DESC, status)
  WHERE (code IS NOT NULL);
CREATE INDEX request_log_tenant_id_external_reference_idx ON request_log (tenant_id, external_reference)
  WHERE (external_reference IS NOT NULL);
CREATE INDEX request_log_tenant_id_route_at_status_idx ON request_log (tenant_id, route, at DESC, status)
  WHERE (tenant_id IS NOT NULL);
CREATE INDEX request_log_tenant_id_status_at_idx ON request_log (tenant_id, status, at DESC) WHERE (status >= 400);

CREATE TABLE request_counts (
  tenant_id text NOT NULL COLLATE "C",
  hour timestamptz(3) NOT NULL,
  application_id text NOT NULL COLLATE "C",
  key_id text NOT NULL COLLATE "C",
  route text NOT NULL,
  status smallint NOT NULL,
  code text NOT NULL,
  requests integer NOT NULL,
  CONSTRAINT request_counts_pkey PRIMARY KEY (tenant_id, hour, application_id, key_id, route, status, code),
  CONSTRAINT request_counts_some CHECK (requests > 0)
);

CREATE TABLE request_counts_progress (
  singleton boolean DEFAULT true NOT NULL,
  counted_until timestamptz(3) NOT NULL,
  CONSTRAINT request_counts_progress_pkey PRIMARY KEY (singleton),
  CONSTRAINT request_counts_progress_one_row CHECK (singleton)
);

CREATE TABLE audit_log (
  id text NOT NULL COLLATE "C",
  at timestamptz(3) NOT NULL,
  tenant_id text NOT NULL COLLATE "C",
  actor_kind text NOT NULL,
  actor_id text COLLATE "C",
  action text NOT NULL,
  object_kind text NOT NULL,
  object_id text NOT NULL COLLATE "C",
  before jsonb,
  after jsonb,
  CONSTRAINT audit_log_pkey PRIMARY KEY (id),
  CONSTRAINT audit_log_actor CHECK (
    (actor_kind IN ('operator', 'system'))
    OR ((actor_kind IN ('application', 'owner')) AND (actor_id IS NOT NULL))
  ),
  CONSTRAINT audit_log_id_format CHECK (id ~ '^aud_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  CONSTRAINT audit_log_no_secret CHECK (concat(before, after) !~ '(pbk_(test|live)_|whsec_)[0-9A-Za-z+/]{16}'),
  CONSTRAINT audit_log_text_length CHECK (
    (char_length(action) BETWEEN 1 AND 64)
    AND (char_length(object_kind) BETWEEN 1 AND 64)
    AND (char_length(object_id) BETWEEN 1 AND 64)
    AND (char_length(actor_id) <= 64)
  )
);
CREATE INDEX audit_log_tenant_id_action_at_idx ON audit_log (tenant_id, action, at DESC);
CREATE INDEX audit_log_tenant_id_actor_id_at_idx ON audit_log (tenant_id, actor_id, at DESC);
CREATE INDEX audit_log_tenant_id_at_idx ON audit_log (tenant_id, at DESC);
CREATE INDEX audit_log_tenant_id_object_id_at_idx ON audit_log (tenant_id, object_id, at DESC);

CREATE UNLOGGED TABLE rate_limits (
  key text NOT NULL,
  points integer DEFAULT 0 NOT NULL,
  expire bigint,
  CONSTRAINT rate_limits_pkey PRIMARY KEY (key)
);

CREATE TABLE cache_versions (
  topic text NOT NULL,
  id text NOT NULL COLLATE "C",
  version uuid NOT NULL,
  changed_in xid8 DEFAULT pg_current_xact_id() NOT NULL,
  CONSTRAINT cache_versions_pkey PRIMARY KEY (topic, id)
);
CREATE INDEX cache_versions_changed_in_idx ON cache_versions (changed_in);

CREATE TABLE webhook_endpoints (
  application_id text NOT NULL COLLATE "C",
  tenant_id text NOT NULL COLLATE "C",
  url text NOT NULL,
  event_types text[] NOT NULL,
  state text DEFAULT 'active' NOT NULL,
  state_reason text,
  changed_at timestamptz(3) NOT NULL,
  failing boolean DEFAULT false NOT NULL,
  quiet_since timestamptz(3) NOT NULL,
  failed_days integer DEFAULT 0 NOT NULL,
  last_failed_on date,
  last_success_at timestamptz(3),
  version integer DEFAULT 1 NOT NULL,
  created_at timestamptz(3) NOT NULL,
  last_attempt_at timestamptz(3),
  failed_firsts smallint DEFAULT 0 NOT NULL,
  CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (application_id),
  CONSTRAINT webhook_endpoints_counts CHECK (
    (version >= 1)
    AND (failed_days >= 0)
    AND ((last_failed_on IS NULL) = (failed_days = 0))
  ),
  CONSTRAINT webhook_endpoints_event_types CHECK (
    (event_types <@ ARRAY['booking.created', 'booking.rescheduled', 'booking.updated', 'booking.cancelled', 'booking.completed', 'booking.no_show', 'booking.upcoming', 'availability.changed', 'catalog.changed'])
    AND (cardinality(event_types) BETWEEN 1 AND 9)
    AND (array_position(event_types, NULL::text) IS NULL)
  ),
  CONSTRAINT webhook_endpoints_failed_firsts CHECK (failed_firsts BETWEEN 0 AND 5),
  CONSTRAINT webhook_endpoints_state CHECK ((((state = 'active') AND (state_reason IS NULL)) OR ((state = 'paused') AND (state_reason = 'owner')) OR ((state = 'disabled') AND (state_reason IN ('gone', 'failing')))) IS TRUE),
  CONSTRAINT webhook_endpoints_url CHECK ((url ~ '^https?://') AND (char_length(url) <= 2048))
);
CREATE UNIQUE INDEX webhook_endpoints_tenant_id_application_id_key ON webhook_endpoints (tenant_id, application_id);
CREATE INDEX webhook_endpoints_thin ON webhook_endpoints (application_id)
  WHERE (event_types && ARRAY['availability.changed', 'catalog.changed']);

CREATE TABLE webhook_secrets (
  application_id text NOT NULL COLLATE "C",
  number integer NOT NULL,
  sealed bytea NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  CONSTRAINT webhook_secrets_pkey PRIMARY KEY (application_id, number),
  CONSTRAINT webhook_secrets_number CHECK (number >= 1)
);
CREATE UNIQUE INDEX webhook_secrets_current ON webhook_secrets (application_id) WHERE (expires_at IS NULL);

CREATE TABLE deliveries (
  id text NOT NULL COLLATE "C",
  tenant_id text NOT NULL COLLATE "C",
  application_id text NOT NULL COLLATE "C",
  event_id text NOT NULL COLLATE "C",
  state text DEFAULT 'pending' NOT NULL,
  test boolean DEFAULT false NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  scheduled_attempts integer DEFAULT 0 NOT NULL,
  next_attempt_at timestamptz(3),
  manual_requested_at timestamptz(3),
  manual_by_id text COLLATE "C",
  replay_id text COLLATE "C",
  due_at timestamptz(3) GENERATED ALWAYS AS (LEAST(next_attempt_at, manual_requested_at)) STORED,
  leased_until timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  leased_by integer,
  forged boolean DEFAULT false NOT NULL,
  CONSTRAINT deliveries_pkey PRIMARY KEY (id),
  CONSTRAINT deliveries_attempts CHECK (
    ((scheduled_attempts >= 0) AND (scheduled_attempts <=
CASE
    WHEN test THEN 1
    ELSE 10
END))
    AND (attempts >= scheduled_attempts)
  ),
  CONSTRAINT deliveries_forged CHECK (test OR (NOT forged)),
  CONSTRAINT deliveries_id_format CHECK (id ~ '^dlv_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  CONSTRAINT deliveries_manual CHECK ((manual_requested_at IS NULL) OR (manual_by_id IS NOT NULL)),
  CONSTRAINT deliveries_state CHECK (
    (state IN ('pending', 'succeeded', 'failed'))
    AND ((state = 'pending') = (next_attempt_at IS NOT NULL))
    AND ((state = 'pending') = (finished_at IS NULL))
  )
);
CREATE INDEX deliveries_application_id_id_idx ON deliveries (application_id, id DESC);
CREATE INDEX deliveries_application_id_state_id_idx ON deliveries (application_id, state, id DESC);
CREATE INDEX deliveries_due ON deliveries (application_id, due_at, id) WHERE ((due_at IS NOT NULL) AND (NOT test));
CREATE INDEX deliveries_due_tests ON deliveries (application_id, due_at) WHERE ((due_at IS NOT NULL) AND test);
CREATE UNIQUE INDEX deliveries_event_id_key ON deliveries (event_id);
CREATE INDEX deliveries_leased ON deliveries (application_id, leased_until) WHERE (leased_until IS NOT NULL);
CREATE INDEX deliveries_replay_id_idx ON deliveries (replay_id);
CREATE INDEX deliveries_tenant_id_finished_at_idx ON deliveries (tenant_id, finished_at)
  WHERE (finished_at IS NOT NULL);

CREATE TABLE delivery_attempts (
  delivery_id text NOT NULL COLLATE "C",
  number integer NOT NULL,
  kind text NOT NULL,
  requested_by_id text COLLATE "C",
  started_at timestamptz(3) NOT NULL,
  duration_ms real,
  status smallint,
  error text,
  answer text,
  CONSTRAINT delivery_attempts_pkey PRIMARY KEY (delivery_id, number),
  CONSTRAINT delivery_attempts_answer CHECK ((char_length(answer) <= 1024) AND (char_length(error) <= 200)),
  CONSTRAINT delivery_attempts_kind CHECK (
    (kind IN ('scheduled', 'manual'))
    AND ((kind = 'manual') = (requested_by_id IS NOT NULL))
    AND (number >= 1)
  )
);
CREATE INDEX delivery_attempts_started_at_idx ON delivery_attempts (started_at);

CREATE TABLE webhook_replays (
  id text NOT NULL COLLATE "C",
  tenant_id text NOT NULL COLLATE "C",
  application_id text NOT NULL COLLATE "C",
  since timestamptz(3) NOT NULL,
  total integer NOT NULL,
  created_by_id text NOT NULL COLLATE "C",
  created_at timestamptz(3) NOT NULL,
  stopped_at timestamptz(3),
  CONSTRAINT webhook_replays_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_replays_bounds CHECK (
    (total BETWEEN 0 AND 10000)
    AND (since >= (created_at - '14 days 00:01:00'::interval))
    AND (since <= created_at)
  )
);
CREATE INDEX webhook_replays_application_id_created_at_idx ON webhook_replays (application_id, created_at DESC);

-- Foreign keys

ALTER TABLE users
  ADD CONSTRAINT users_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE user_identities
  ADD CONSTRAINT user_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE sessions
  ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE totp_factors
  ADD CONSTRAINT totp_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE passkeys
  ADD CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE recovery_codes
  ADD CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE second_steps
  ADD CONSTRAINT second_steps_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE sign_ins
  ADD CONSTRAINT sign_ins_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON UPDATE CASCADE ON DELETE CASCADE,
  ADD CONSTRAINT sign_ins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE refused_calls
  ADD CONSTRAINT refused_calls_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON UPDATE CASCADE ON DELETE CASCADE,
  ADD CONSTRAINT refused_calls_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE memberships
  ADD CONSTRAINT memberships_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON UPDATE CASCADE ON DELETE CASCADE,
  ADD CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE saved_views
  ADD CONSTRAINT saved_views_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES memberships(tenant_id, user_id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE invitations
  ADD CONSTRAINT invitations_invited_by_id_fkey FOREIGN KEY (invited_by_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE,
  ADD CONSTRAINT invitations_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE mails
  ADD CONSTRAINT mails_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON UPDATE CASCADE ON DELETE CASCADE,
  ADD CONSTRAINT mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE address_links
  ADD CONSTRAINT address_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE locations
  ADD CONSTRAINT locations_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE location_hours
  ADD CONSTRAINT location_hours_location_id_fkey FOREIGN KEY (location_id) REFERENCES locations(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE location_exceptions
  ADD CONSTRAINT location_exceptions_location_id_fkey FOREIGN KEY (location_id) REFERENCES locations(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE services
  ADD CONSTRAINT services_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE specialists
  ADD CONSTRAINT specialists_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE offerings
  ADD CONSTRAINT offerings_tenant_id_location_id_fkey FOREIGN KEY (tenant_id, location_id) REFERENCES locations(tenant_id, id) ON UPDATE CASCADE ON DELETE CASCADE,
  ADD CONSTRAINT offerings_tenant_id_service_id_fkey FOREIGN KEY (tenant_id, service_id) REFERENCES services(tenant_id, id) ON UPDATE CASCADE ON DELETE CASCADE,
  ADD CONSTRAINT offerings_tenant_id_specialist_id_fkey FOREIGN KEY (tenant_id, specialist_id) REFERENCES specialists(tenant_id, id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE specialist_hours
  ADD CONSTRAINT specialist_hours_tenant_id_location_id_fkey FOREIGN KEY (tenant_id, location_id) REFERENCES locations(tenant_id, id) ON UPDATE CASCADE ON DELETE CASCADE,
  ADD CONSTRAINT specialist_hours_tenant_id_specialist_id_fkey FOREIGN KEY (tenant_id, specialist_id) REFERENCES specialists(tenant_id, id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE specialist_breaks
  ADD CONSTRAINT specialist_breaks_specialist_id_fkey FOREIGN KEY (specialist_id) REFERENCES specialists(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE specialist_exceptions
  ADD CONSTRAINT specialist_exceptions_tenant_id_location_id_fkey FOREIGN KEY (tenant_id, location_id) REFERENCES locations(tenant_id, id) ON UPDATE CASCADE ON DELETE CASCADE,
  ADD CONSTRAINT specialist_exceptions_tenant_id_specialist_id_fkey FOREIGN KEY (tenant_id, specialist_id) REFERENCES specialists(tenant_id, id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE specialist_time_off
  ADD CONSTRAINT specialist_time_off_specialist_id_fkey FOREIGN KEY (specialist_id) REFERENCES specialists(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE blocks
  ADD CONSTRAINT blocks_tenant_id_application_id_fkey FOREIGN KEY (tenant_id, application_id) REFERENCES applications(tenant_id, id) ON UPDATE CASCADE ON DELETE CASCADE,
  ADD CONSTRAINT blocks_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON UPDATE CASCADE ON DELETE CASCADE,
  ADD CONSTRAINT blocks_tenant_id_location_id_fkey FOREIGN KEY (tenant_id, location_id) REFERENCES locations(tenant_id, id) ON UPDATE CASCADE ON DELETE CASCADE,
  ADD CONSTRAINT blocks_tenant_id_specialist_id_fkey FOREIGN KEY (tenant_id, specialist_id) REFERENCES specialists(tenant_id, id) ON UPDATE CASCADE ON DELETE CASCADE,
  ADD CONSTRAINT blocks_tenant_id_subject_id_calendar_id_fkey FOREIGN KEY (tenant_id, subject_id, calendar_id) REFERENCES calendars(tenant_id, subject_id, id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE block_days
  ADD CONSTRAINT block_days_tenant_id_subject_id_block_id_fkey FOREIGN KEY (tenant_id, subject_id, block_id) REFERENCES blocks(tenant_id, subject_id, id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE applications
  ADD CONSTRAINT applications_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE readiness_records
  ADD CONSTRAINT readiness_records_tenant_id_application_id_fkey FOREIGN KEY (tenant_id, application_id) REFERENCES applications(tenant_id, id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE application_locations
  ADD CONSTRAINT application_locations_tenant_id_application_id_fkey FOREIGN KEY (tenant_id, application_id) REFERENCES applications(tenant_id, id) ON UPDATE CASCADE ON DELETE CASCADE,
  ADD CONSTRAINT application_locations_tenant_id_location_id_fkey FOREIGN KEY (tenant_id, location_id) REFERENCES locations(tenant_id, id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE api_keys
  ADD CONSTRAINT api_keys_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(id) ON UPDATE CASCADE ON DELETE CASCADE,
  ADD CONSTRAINT api_keys_application_id_rotated_to_id_fkey FOREIGN KEY (application_id, rotated_to_id) REFERENCES api_keys(application_id, id) ON UPDATE CASCADE;

ALTER TABLE slot_claims
  ADD CONSTRAINT slot_claims_tenant_id_location_id_fkey FOREIGN KEY (tenant_id, location_id) REFERENCES locations(tenant_id, id) ON UPDATE CASCADE ON DELETE RESTRICT,
  ADD CONSTRAINT slot_claims_tenant_id_service_id_fkey FOREIGN KEY (tenant_id, service_id) REFERENCES services(tenant_id, id) ON UPDATE CASCADE ON DELETE RESTRICT,
  ADD CONSTRAINT slot_claims_tenant_id_specialist_id_fkey FOREIGN KEY (tenant_id, specialist_id) REFERENCES specialists(tenant_id, id) ON UPDATE CASCADE ON DELETE RESTRICT;

ALTER TABLE bookings
  ADD CONSTRAINT bookings_claim_id_fkey FOREIGN KEY (claim_id) REFERENCES slot_claims(id) DEFERRABLE INITIALLY DEFERRED,
  ADD CONSTRAINT bookings_tenant_id_application_id_fkey FOREIGN KEY (tenant_id, application_id) REFERENCES applications(tenant_id, id) ON UPDATE CASCADE ON DELETE RESTRICT,
  ADD CONSTRAINT bookings_tenant_id_location_id_fkey FOREIGN KEY (tenant_id, location_id) REFERENCES locations(tenant_id, id) ON UPDATE CASCADE ON DELETE RESTRICT,
  ADD CONSTRAINT bookings_tenant_id_service_id_fkey FOREIGN KEY (tenant_id, service_id) REFERENCES services(tenant_id, id) ON UPDATE CASCADE ON DELETE RESTRICT,
  ADD CONSTRAINT bookings_tenant_id_specialist_id_fkey FOREIGN KEY (tenant_id, specialist_id) REFERENCES specialists(tenant_id, id) ON UPDATE CASCADE ON DELETE RESTRICT;

ALTER TABLE calendars
  ADD CONSTRAINT calendars_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON UPDATE CASCADE ON DELETE CASCADE,
  ADD CONSTRAINT calendars_tenant_id_location_id_fkey FOREIGN KEY (tenant_id, location_id) REFERENCES locations(tenant_id, id) ON UPDATE CASCADE ON DELETE CASCADE,
  ADD CONSTRAINT calendars_tenant_id_specialist_id_fkey FOREIGN KEY (tenant_id, specialist_id) REFERENCES specialists(tenant_id, id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE calendar_feeds
  ADD CONSTRAINT calendar_feeds_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON UPDATE CASCADE ON DELETE CASCADE,
  ADD CONSTRAINT calendar_feeds_tenant_id_location_id_fkey FOREIGN KEY (tenant_id, location_id) REFERENCES locations(tenant_id, id) ON UPDATE CASCADE ON DELETE CASCADE,
  ADD CONSTRAINT calendar_feeds_tenant_id_specialist_id_fkey FOREIGN KEY (tenant_id, specialist_id) REFERENCES specialists(tenant_id, id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE idempotency_keys
  ADD CONSTRAINT idempotency_keys_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE events
  ADD CONSTRAINT events_booking_reference_fkey FOREIGN KEY (booking_reference) REFERENCES bookings(reference) ON UPDATE CASCADE ON DELETE CASCADE,
  ADD CONSTRAINT events_tenant_id_application_id_fkey FOREIGN KEY (tenant_id, application_id) REFERENCES applications(tenant_id, id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE event_counters
  ADD CONSTRAINT event_counters_tenant_id_application_id_fkey FOREIGN KEY (tenant_id, application_id) REFERENCES applications(tenant_id, id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE event_sequences
  ADD CONSTRAINT event_sequences_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE change_watches
  ADD CONSTRAINT change_watches_tenant_id_application_id_fkey FOREIGN KEY (tenant_id, application_id) REFERENCES applications(tenant_id, id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE slot_changes
  ADD CONSTRAINT slot_changes_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE webhook_endpoints
  ADD CONSTRAINT webhook_endpoints_tenant_id_application_id_fkey FOREIGN KEY (tenant_id, application_id) REFERENCES applications(tenant_id, id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE webhook_secrets
  ADD CONSTRAINT webhook_secrets_application_id_fkey FOREIGN KEY (application_id) REFERENCES webhook_endpoints(application_id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE deliveries
  ADD CONSTRAINT deliveries_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON UPDATE CASCADE ON DELETE CASCADE,
  ADD CONSTRAINT deliveries_replay_id_fkey FOREIGN KEY (replay_id) REFERENCES webhook_replays(id) ON UPDATE CASCADE ON DELETE SET NULL,
  ADD CONSTRAINT deliveries_tenant_id_application_id_fkey FOREIGN KEY (tenant_id, application_id) REFERENCES applications(tenant_id, id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE delivery_attempts
  ADD CONSTRAINT delivery_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES deliveries(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE webhook_replays
  ADD CONSTRAINT webhook_replays_tenant_id_application_id_fkey FOREIGN KEY (tenant_id, application_id) REFERENCES applications(tenant_id, id) ON UPDATE CASCADE ON DELETE CASCADE;

CREATE STATISTICS bookings_parts (mcv) ON application_id, status, service_id, location_id, specialist_id FROM bookings;
ALTER STATISTICS bookings_parts SET STATISTICS 1000;

-- Functions

-- Servers of an earlier version do not set the column, and learn of changes only by notifications.
CREATE FUNCTION cache_version_changed() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    NEW.changed_in := pg_current_xact_id();
  END IF;
  PERFORM pg_notify('partner_booking_cache', NEW.topic || ' ' || NEW.id);
  RETURN NEW;
END $$;

-- An account whose address is not proven has memberships only in its tenant, and a closed account has none. A server of an
-- earlier version creates accounts without a tenant. The first membership then sets it.
CREATE FUNCTION check_account_of_membership() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  account "users"%ROWTYPE;
BEGIN
  SELECT * INTO account FROM "users" WHERE "id" = NEW."user_id" FOR NO KEY UPDATE;
  IF account."closed_at" IS NOT NULL OR (account."address_proven_at" IS NULL AND account."tenant_id" <> NEW."tenant_id") THEN
    RAISE EXCEPTION 'the account cannot be a member of this tenant'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'memberships_account', TABLE = 'memberships';
  END IF;
  IF account."address_proven_at" IS NULL AND account."tenant_id" IS NULL THEN
    UPDATE "users" SET "tenant_id" = NEW."tenant_id" WHERE "id" = account."id";
  END IF;
  RETURN NEW;
END $$;

-- Creates the partition for a UTC day. Returns false if the partition exists. Also returns false if the default
-- partition has entries of that day, because PostgreSQL then refuses to attach the partition.
CREATE FUNCTION create_request_log_partition(day date) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  partition_name text := 'request_log_' || to_char("day", 'YYYYMMDD');
  bounds text[];
BEGIN
  IF "day" IS NULL OR "day" NOT BETWEEN '2000-01-01' AND '2999-12-31' THEN
    RAISE EXCEPTION 'the day must be from 2000 to 2999' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  -- A bound is the start of an id: `req_` and the ten base32 digits of the timestamp.
  SELECT array_agg(bound ORDER BY ms) INTO bounds FROM (
    SELECT ms, 'req_' || string_agg(
      substr('0123456789abcdefghjkmnpqrstvwxyz', ((ms >> (45 - 5 * digit)) & 31)::int + 1, 1), '' ORDER BY digit) AS bound
    FROM generate_series(0, 1) AS days
      CROSS JOIN LATERAL (SELECT (extract(epoch FROM "day" + days) * 1000)::bigint) AS of_day(ms)
      CROSS JOIN generate_series(0, 9) AS digit
    GROUP BY ms) AS bound_of;
  IF to_regclass(partition_name) IS NOT NULL OR EXISTS (
    SELECT FROM "request_log_default"
    WHERE "request_id" >= bounds[1] COLLATE "C" AND "request_id" < bounds[2] COLLATE "C") THEN
    RETURN false;
  END IF;
  -- The table is created separately and then attached, because `CREATE TABLE … PARTITION OF` would block every request
  -- until the transaction ends.
  EXECUTE format(
    'CREATE TABLE %I (LIKE "request_log" INCLUDING ALL) WITH (autovacuum_vacuum_insert_scale_factor = 0.02)',
    partition_name);
  EXECUTE format('ALTER TABLE "request_log" ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
    partition_name, bounds[1], bounds[2]);
  RETURN true;
END $$;

-- Detaches a partition and renames it, so that `drop_detached_request_log` finds it. Returns false if there is no
-- partition with this name, or if it is the default partition.
CREATE FUNCTION detach_request_log_partition(partition_name text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  found_partition regclass;
  lower_id text;
  upper_id text;
  ended timestamptz;
  kept "request_log"[];
BEGIN
  SELECT oid, coalesce(substring(bounds FROM 'FROM \(''(\w+)''\)'), ''), substring(bounds FROM 'TO \(''(\w+)''\)')
  INTO found_partition, lower_id, upper_id
  FROM (SELECT oid, pg_get_expr(relpartbound, oid) AS bounds FROM pg_inherits JOIN pg_class ON oid = inhrelid
    WHERE inhparent = '"request_log"'::regclass AND relname = "partition_name") AS partitions;
  IF upper_id IS NULL THEN
    RETURN false;
  END IF;
  -- The ten base32 digits after `req_` are the milliseconds since 1970.
  SELECT to_timestamp(sum((strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(upper_id, 14 - place, 1)) - 1)::bigint << (5 * place))::float8 / 1000)
  INTO ended FROM generate_series(0, 9) AS place;
  IF ended IS NULL OR ended > now() - (SELECT coalesce(min("request_log_days"), 30) FROM "tenants") * interval '24 hours' THEN
    RETURN false;
  END IF;
  -- Entries without a tenant, and those of a deleted tenant, are kept for 30 days.
  IF ended > now() - 30 * interval '24 hours' THEN
    SELECT array_agg(entry) INTO kept FROM (
      SELECT l AS entry FROM "request_log" l LEFT JOIN "tenants" t ON t."id" = l."tenant_id"
      WHERE l."request_id" >= lower_id COLLATE "C" AND l."request_id" < upper_id COLLATE "C"
        AND l."at" >= now() - coalesce(t."request_log_days", 30) * interval '24 hours' LIMIT 2001) AS entries;
    IF cardinality(kept) > 2000 THEN
      RETURN false;
    END IF;
  END IF;
  EXECUTE format('ALTER TABLE "request_log" DETACH PARTITION %s', found_partition);
  EXECUTE format('ALTER TABLE %s RENAME TO %I', found_partition,
    replace("partition_name", 'request_log_', 'request_log_detached_'));
  INSERT INTO "request_log" SELECT (entry).* FROM unnest(kept) AS entry ON CONFLICT DO NOTHING;
  RETURN true;
END $$;

-- Drops one object of the detached partitions in each call. Repeated calls drop all indexes, then the primary keys,
-- then the tables. Returns false if nothing is left to drop.
CREATE FUNCTION drop_detached_request_log() RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  step text;
BEGIN
  WITH detached AS (
    SELECT oid, oid::regclass AS name FROM pg_class
    WHERE relkind = 'r' AND starts_with(relname, 'request_log_detached_')
      AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = '"request_log"'::regclass))
  SELECT command INTO step FROM (
    SELECT format('DROP INDEX %s', indexrelid::regclass) AS command, 1 AS place
      FROM detached JOIN pg_index ON indrelid = oid WHERE NOT indisprimary
    UNION ALL SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', name, conname), 2
      FROM detached JOIN pg_constraint ON conrelid = detached.oid WHERE contype = 'p'
    UNION ALL SELECT format('DROP TABLE %s', name), 3 FROM detached) AS steps
  ORDER BY place LIMIT 1;
  IF step IS NULL THEN
    RETURN false;
  END IF;
  EXECUTE step;
  RETURN true;
END $$;

-- Erases the new columns too. Servers of an earlier version erase only the columns that they know.
CREATE FUNCTION erase_phone_hash() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  NEW."phone_hash" := NULL;
  NEW."name_hashes" := NULL;
  NEW."customer_email" := NULL;
  NEW."customer_locale" := NULL;
  NEW."note" := NULL;
  NEW."metadata" := NULL;
  RETURN NEW;
END $$;

-- A server of an earlier version changes the name without its skeleton. The skeleton would then belong to a name that no
-- tenant has.
CREATE FUNCTION forget_name_skeleton() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  NEW."name_skeleton" := NULL;
  RETURN NEW;
END $$;

-- A proven account gets another address only in the moment in which a link that only this address got is used, and with
-- a new hash of the password: all accounts of an address share a salt. Everything else stays as it was: an account never
-- gets a proof or another tenant, and is never opened again.
CREATE FUNCTION keep_account() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."email" <> OLD."email" AND OLD."address_proven_at" IS NOT NULL AND NEW."address_proven_at" IS NOT NULL
    AND OLD."closed_at" IS NULL AND NEW."closed_at" IS NULL AND NEW."password_hash" <> OLD."password_hash"
    AND EXISTS (SELECT FROM "address_links" WHERE "user_id" = NEW."id" AND "email" = NEW."email"
      AND "ended_at" = NEW."address_proven_at" AND "ended_at" < "expires_at")
  THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'an account keeps its address, its proof, and its tenant'
    USING ERRCODE = 'check_violation', CONSTRAINT = 'users_kept', TABLE = 'users';
END $$;

-- The row of the counter stays locked until the transaction has ended. So numbers become visible in their order, and a
-- transaction that fails gives its number back. `committed_at` never falls, even if the clock does.
CREATE FUNCTION number_event() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  WITH counter AS (
    INSERT INTO event_counters AS c (application_id, tenant_id, last, committed_at)
    VALUES (NEW.application_id, NEW.tenant_id, 1, clock_timestamp())
    ON CONFLICT (application_id) DO UPDATE
      SET last = c.last + 1, committed_at = greatest(c.committed_at, clock_timestamp())
    RETURNING c.last, c.committed_at)
  INSERT INTO event_sequences (application_id, sequence, tenant_id, event_id, committed_at)
  SELECT NEW.application_id, counter.last, NEW.tenant_id, NEW.id, counter.committed_at FROM counter;
  RETURN NULL;
END $$;

-- A block has up to about 1,500 days, so the days of a statement are queued together.
CREATE FUNCTION queue_block_days() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO slot_changes (tenant_id, subject_id, local, from_minute, to_minute)
  SELECT tenant_id, subject_id, true, lower(part), upper(part)
  FROM (SELECT tenant_id, subject_id, unnest(range_agg(int8range(
      (day - date '1970-01-01')::bigint * 1440 + from_minute, (day - date '1970-01-01')::bigint * 1440 + to_minute))) AS part
    FROM changed WHERE day >= current_date - 1 AND EXISTS (
      SELECT FROM change_watches w WHERE w.tenant_id = changed.tenant_id AND 'availability.changed' = ANY (w.types))
    GROUP BY tenant_id, subject_id) AS merged;
  RETURN NULL;
END $$;

-- Without a watch, a change costs only a look at a small index.
CREATE FUNCTION queue_claim() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  claim slot_claims;
BEGIN
  IF TG_OP = 'DELETE' THEN claim := OLD; ELSE claim := NEW; END IF;
  IF NOT EXISTS (SELECT FROM change_watches WHERE tenant_id = claim.tenant_id AND 'availability.changed' = ANY (types))
  THEN RETURN NULL; END IF;
  INSERT INTO slot_changes (tenant_id, subject_id, local, from_minute, to_minute)
  SELECT DISTINCT claim.tenant_id, claim.specialist_id, false,
    floor(extract(epoch FROM lower(range)) / 60)::bigint, ceil(extract(epoch FROM upper(range)) / 60)::bigint
  FROM (VALUES (coalesce(claim.overlapping, claim.during)),
    (CASE WHEN TG_OP = 'UPDATE' THEN coalesce(OLD.overlapping, OLD.during) END)) AS changed (range)
  WHERE NOT isempty(range);
  RETURN NULL;
END $$;

CREATE FUNCTION record_deletion() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  NEW."recorded_at" := now();
  RETURN NEW;
END $$;

-- Refuses a row of the table. Called only if the WHEN clause of a trigger does not allow the change.
CREATE FUNCTION refuse_change_of_log() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a row of % is kept as it is', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;

-- As in `kept_logs`, but an earlier transaction must have recorded the deletion of the tenant. `now()` is the start of the
-- transaction.
CREATE FUNCTION refuse_early_deletion() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (SELECT "tenant_id", max("at") AS "newest" FROM "gone" GROUP BY "tenant_id") AS "g"
      LEFT JOIN "tenants" AS "t" ON "t"."id" = "g"."tenant_id"
    WHERE CASE TG_ARGV[0] WHEN 'forever' THEN true
        WHEN 'setting' THEN "newest" >= now() - coalesce("t"."request_log_days", 30) * interval '24 hours'
        ELSE "newest" >= now() - TG_ARGV[0]::int * interval '24 hours' END
      AND ("t"."deletion_began_at" IS NULL AND "t"."id" IS NOT NULL OR NOT EXISTS (
        SELECT FROM "tenant_deletions" AS "d"
        WHERE "d"."tenant_id" = "g"."tenant_id" AND "d"."finished_at" IS NULL AND "d"."recorded_at" < now()))) THEN
    RAISE EXCEPTION 'rows of % are kept until their retention ends', TG_TABLE_NAME
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NULL;
END $$;

-- Refuses to delete a tenant that has audit entries, or whose deletion no earlier transaction has recorded. The function
-- sees all entries, because it runs with the rights of the role that migrates.
CREATE FUNCTION refuse_hidden_deletion() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF OLD."deletion_began_at" IS NULL
    OR NOT EXISTS (SELECT FROM "tenant_deletions" AS "d"
      WHERE "d"."tenant_id" = OLD."id" AND "d"."finished_at" IS NULL AND "d"."recorded_at" < now())
    OR EXISTS (SELECT FROM "audit_log" AS "a" WHERE "a"."tenant_id" = OLD."id") THEN
    RAISE EXCEPTION 'a tenant is deleted last, after an earlier transaction has recorded its deletion'
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN OLD;
END $$;

-- Refuses a booking whose instants were derived with other time zone rules than those in force. Without this check, a
-- server with other rules could sell a local time a second time, at another instant. The server notices a change of the
-- rules by itself, but only after half a second. A server of an earlier version writes no `zone_rules`: it cannot be
-- checked. Only writes limited to a tenant are checked: a restore and an import load bookings as they were.
CREATE FUNCTION refuse_other_rules() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "environment" WHERE "zone_rules" <> NEW."zone_rules") THEN
    RAISE EXCEPTION 'other time zone rules are in force' USING ERRCODE = 'PBZ01';
  END IF;
  RETURN NEW;
END $$;

-- The tables of claims and bookings have triggers instead of policies. The triggers refuse only changes, not reads.
-- Searches of these two tables use functions that are not leakproof: `&&` of ranges, `lower`, and `=` of enums. If a
-- table has a policy, PostgreSQL does not use indexes and statistics for such functions. The triggers' WHEN clauses
-- compare the tenants, so the function below is called only to refuse a row.
CREATE FUNCTION refuse_other_tenant() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the row belongs to another tenant' USING ERRCODE = 'insufficient_privilege';
END $$;

-- A deleted tenant returns only with an import, which uses the role that owns the tables. The function runs with the
-- rights of its caller, whose role it checks.
CREATE FUNCTION refuse_returned_tenant() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "tenant_deletions" AS "d" WHERE "d"."tenant_id" = NEW."id")
    AND NOT pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE') THEN
    RAISE EXCEPTION 'a deleted tenant returns only with an import' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;

-- As in `kept_logs`, but an entry from the future does not count. It would hide later entries from this check. The clocks
-- of a server and of the database can differ.
CREATE FUNCTION refuse_unaudited_retention() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF NEW."request_log_days" IS DISTINCT FROM (
    SELECT ("after"->>'request_log_days')::int FROM "audit_log"
    WHERE "tenant_id" = NEW."id" AND "action" = 'retention.changed' AND "at" <= now() + interval '1 minute'
    ORDER BY "at" DESC, "id" DESC LIMIT 1) THEN
    RAISE EXCEPTION 'a shorter retention needs an audit entry' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NULL;
END $$;

-- Fails with PBS01 if a statement has changed no row, because a concurrent write has taken the seat. The COMMIT that was
-- sent together with the statement then rolls back.
CREATE FUNCTION require_change(changed bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
BEGIN
  IF "changed" = 0 THEN
    RAISE EXCEPTION 'a concurrent write has taken the seat' USING ERRCODE = 'PBS01';
  END IF;
  RETURN "changed";
END $$;

-- Nothing more is sold on the time of an overlapping claim. Like a conflict with the exclusion constraint, the row is
-- skipped without an error, so that the write tries another specialist. Overlapping claims are only made while the tenant
-- is locked, so no write can miss one. Only writes limited to a tenant are checked: a restore and an import must load
-- every claim as it was.
CREATE FUNCTION skip_overlapping_claim() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "slot_claims" WHERE "specialist_id" = NEW."specialist_id" AND "overlapping" && NEW."during")
  THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END $$;

-- Without a fixed search path, a caller could make these functions use the caller's own tables or operators. PostgreSQL
-- searches `pg_catalog` before this path. `pg_temp` comes last, because PostgreSQL would otherwise search it first.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['create_request_log_partition(date)',
    'detach_request_log_partition(text)',
    'drop_detached_request_log()',
    'refuse_early_deletion()',
    'refuse_hidden_deletion()',
    'refuse_returned_tenant()',
    'refuse_unaudited_retention()']
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', name, current_schema());
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', name);
  END LOOP;
END $$;

-- Triggers

CREATE TRIGGER kept_delete BEFORE DELETE ON tenants FOR EACH ROW EXECUTE FUNCTION refuse_hidden_deletion();
CREATE TRIGGER kept_deletion BEFORE UPDATE ON tenants
  FOR EACH ROW
  WHEN (((old.deletion_began_at IS NOT NULL) AND (new.deletion_began_at IS NULL)))
  EXECUTE FUNCTION refuse_change_of_log();
CREATE TRIGGER kept_insert BEFORE INSERT ON tenants FOR EACH ROW EXECUTE FUNCTION refuse_returned_tenant();
CREATE CONSTRAINT TRIGGER kept_retention AFTER UPDATE ON tenants DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  WHEN ((new.request_log_days < old.request_log_days))
  EXECUTE FUNCTION refuse_unaudited_retention();
CREATE TRIGGER kept_update BEFORE UPDATE ON tenants
  FOR EACH ROW
  WHEN ((new.id <> old.id))
  EXECUTE FUNCTION refuse_change_of_log();
CREATE TRIGGER tenants_name_skeleton BEFORE UPDATE OF name ON tenants
  FOR EACH ROW
  WHEN (((new.name <> old.name) AND (NOT (new.name_skeleton IS DISTINCT FROM old.name_skeleton))))
  EXECUTE FUNCTION forget_name_skeleton();

CREATE TRIGGER kept_delete BEFORE DELETE ON tenant_deletions
  FOR EACH STATEMENT
  EXECUTE FUNCTION refuse_change_of_log();
CREATE TRIGGER kept_insert BEFORE INSERT ON tenant_deletions FOR EACH ROW EXECUTE FUNCTION record_deletion();
CREATE TRIGGER kept_update BEFORE UPDATE ON tenant_deletions
  FOR EACH ROW
  WHEN ((((((new.tenant_id IS DISTINCT FROM old.tenant_id) OR (new.name IS DISTINCT FROM old.name)) OR (new.began_at IS DISTINCT FROM old.began_at)) OR (new.recorded_at IS DISTINCT FROM old.recorded_at)) OR (old.finished_at IS NOT NULL)))
  EXECUTE FUNCTION refuse_change_of_log();

CREATE TRIGGER users_kept AFTER UPDATE ON users
  FOR EACH ROW
  WHEN (((new.email <> old.email) OR (new.address_proven_at IS DISTINCT FROM old.address_proven_at) OR (new.tenant_id <> old.tenant_id) OR ((old.closed_at IS NOT NULL) AND (new.closed_at IS NULL))))
  EXECUTE FUNCTION keep_account();

CREATE TRIGGER kept_delete AFTER DELETE ON sign_ins
  REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT
  EXECUTE FUNCTION refuse_early_deletion('89');
CREATE TRIGGER kept_update BEFORE UPDATE ON sign_ins
  FOR EACH ROW
  WHEN (((((((((new.id IS DISTINCT FROM old.id) OR (new.tenant_id IS DISTINCT FROM old.tenant_id)) OR (new.user_id IS DISTINCT FROM old.user_id)) OR (new.outcome IS DISTINCT FROM old.outcome)) OR (new.method IS DISTINCT FROM old.method)) OR (new.network IS DISTINCT FROM old.network)) OR (new.minute IS DISTINCT FROM old.minute)) OR (new.attempts < old.attempts) OR (new.at < old.at)))
  EXECUTE FUNCTION refuse_change_of_log();

CREATE TRIGGER kept_delete AFTER DELETE ON refused_calls
  REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT
  EXECUTE FUNCTION refuse_early_deletion('89');
CREATE TRIGGER kept_update BEFORE UPDATE ON refused_calls
  FOR EACH ROW
  WHEN ((((((((new.id IS DISTINCT FROM old.id) OR (new.tenant_id IS DISTINCT FROM old.tenant_id)) OR (new.user_id IS DISTINCT FROM old.user_id)) OR (new.procedure IS DISTINCT FROM old.procedure)) OR (new.code IS DISTINCT FROM old.code)) OR (new.minute IS DISTINCT FROM old.minute)) OR (new.calls < old.calls) OR (new.at < old.at)))
  EXECUTE FUNCTION refuse_change_of_log();

CREATE TRIGGER memberships_account BEFORE INSERT OR UPDATE OF user_id, tenant_id ON memberships
  FOR EACH ROW
  EXECUTE FUNCTION check_account_of_membership();

CREATE TRIGGER block_days_queue_delete AFTER DELETE ON block_days
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  WHEN ((COALESCE(current_setting('partner_booking.loading', true), '') = ''))
  EXECUTE FUNCTION queue_block_days();
CREATE TRIGGER block_days_queue_insert AFTER INSERT ON block_days
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT
  WHEN ((COALESCE(current_setting('partner_booking.loading', true), '') = ''))
  EXECUTE FUNCTION queue_block_days();

CREATE TRIGGER slot_claims_delete_in_tenant BEFORE DELETE ON slot_claims
  FOR EACH ROW
  WHEN ((old.tenant_id <> NULLIF(current_setting('partner_booking.tenant', true), '')))
  EXECUTE FUNCTION refuse_other_tenant();
CREATE TRIGGER slot_claims_insert_in_tenant BEFORE INSERT ON slot_claims
  FOR EACH ROW
  WHEN ((new.tenant_id <> NULLIF(current_setting('partner_booking.tenant', true), '')))
  EXECUTE FUNCTION refuse_other_tenant();
CREATE TRIGGER slot_claims_insert_overlapping BEFORE INSERT ON slot_claims
  FOR EACH ROW
  WHEN (((new.overlapping IS NULL) AND (NULLIF(current_setting('partner_booking.tenant', true), '') IS NOT NULL)))
  EXECUTE FUNCTION skip_overlapping_claim();
CREATE CONSTRAINT TRIGGER slot_claims_queue_delete AFTER DELETE ON slot_claims DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  WHEN (((old.ends_at > (now() - '1 day'::interval)) AND (COALESCE(current_setting('partner_booking.loading', true), '') = '')))
  EXECUTE FUNCTION queue_claim();
CREATE CONSTRAINT TRIGGER slot_claims_queue_insert AFTER INSERT ON slot_claims DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  WHEN (((new.ends_at > (now() - '1 day'::interval)) AND (COALESCE(current_setting('partner_booking.loading', true), '') = '')))
  EXECUTE FUNCTION queue_claim();
CREATE CONSTRAINT TRIGGER slot_claims_queue_update AFTER UPDATE ON slot_claims DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  WHEN ((((new.ends_at > (now() - '1 day'::interval)) OR (old.ends_at > (now() - '1 day'::interval))) AND (COALESCE(current_setting('partner_booking.loading', true), '') = '')))
  EXECUTE FUNCTION queue_claim();
CREATE TRIGGER slot_claims_seat_overlapping BEFORE UPDATE OF taken ON slot_claims
  FOR EACH ROW
  WHEN (((new.taken > old.taken) AND (NULLIF(current_setting('partner_booking.tenant', true), '') IS NOT NULL)))
  EXECUTE FUNCTION skip_overlapping_claim();
CREATE TRIGGER slot_claims_update_in_tenant BEFORE UPDATE ON slot_claims
  FOR EACH ROW
  WHEN (((old.tenant_id <> NULLIF(current_setting('partner_booking.tenant', true), '')) OR (new.tenant_id <> NULLIF(current_setting('partner_booking.tenant', true), ''))))
  EXECUTE FUNCTION refuse_other_tenant();

CREATE TRIGGER bookings_delete_in_tenant BEFORE DELETE ON bookings
  FOR EACH ROW
  WHEN ((old.tenant_id <> NULLIF(current_setting('partner_booking.tenant', true), '')))
  EXECUTE FUNCTION refuse_other_tenant();
CREATE TRIGGER bookings_erase_phone_hash BEFORE UPDATE OF customer_phone ON bookings
  FOR EACH ROW
  WHEN ((new.customer_phone IS NULL))
  EXECUTE FUNCTION erase_phone_hash();
CREATE TRIGGER bookings_insert_in_tenant BEFORE INSERT ON bookings
  FOR EACH ROW
  WHEN ((new.tenant_id <> NULLIF(current_setting('partner_booking.tenant', true), '')))
  EXECUTE FUNCTION refuse_other_tenant();
CREATE TRIGGER bookings_rules_in_force BEFORE INSERT OR UPDATE OF zone_rules ON bookings
  FOR EACH ROW
  WHEN (((new.zone_rules IS NOT NULL) AND (NULLIF(current_setting('partner_booking.tenant', true), '') IS NOT NULL)))
  EXECUTE FUNCTION refuse_other_rules();
CREATE TRIGGER bookings_update_in_tenant BEFORE UPDATE ON bookings
  FOR EACH ROW
  WHEN (((old.tenant_id <> NULLIF(current_setting('partner_booking.tenant', true), '')) OR (new.tenant_id <> NULLIF(current_setting('partner_booking.tenant', true), ''))))
  EXECUTE FUNCTION refuse_other_tenant();

CREATE CONSTRAINT TRIGGER number_event AFTER INSERT ON events DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  WHEN (((new.application_id IS NOT NULL) AND (COALESCE(current_setting('partner_booking.loading', true), '') = '')))
  EXECUTE FUNCTION number_event();

CREATE TRIGGER kept_delete AFTER DELETE ON request_log
  REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT
  EXECUTE FUNCTION refuse_early_deletion('setting');
CREATE TRIGGER kept_update BEFORE UPDATE ON request_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_log();

CREATE TRIGGER kept_delete AFTER DELETE ON audit_log
  REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT
  EXECUTE FUNCTION refuse_early_deletion('forever');
CREATE TRIGGER kept_update BEFORE UPDATE ON audit_log
  FOR EACH ROW
  WHEN (((new.* IS DISTINCT FROM old.*) AND (NOT COALESCE(((NOT (((((((((new.id IS DISTINCT FROM old.id) OR (new.at IS DISTINCT FROM old.at)) OR (new.tenant_id IS DISTINCT FROM old.tenant_id)) OR (new.actor_kind IS DISTINCT FROM old.actor_kind)) OR (new.actor_id IS DISTINCT FROM old.actor_id)) OR (new.action IS DISTINCT FROM old.action)) OR (new.object_kind IS DISTINCT FROM old.object_kind)) OR (new.object_id IS DISTINCT FROM old.object_id)) OR (new.before IS DISTINCT FROM old.before))) AND (old.action IN ('requests.exported', 'audit.exported', 'bookings.exported', 'statistics.exported')) AND (NOT (old.after ?| ARRAY['rows', 'result'])) AND (new.after ?& ARRAY['rows', 'result']) AND ((new.after - ARRAY['rows', 'result']) = old.after)), false))))
  EXECUTE FUNCTION refuse_change_of_log();

CREATE TRIGGER cache_version_changed BEFORE INSERT OR UPDATE ON cache_versions
  FOR EACH ROW
  EXECUTE FUNCTION cache_version_changed();

-- Row level security: a transaction of a tenant sees and writes rows of this tenant only

CREATE POLICY tenant ON tenants
  USING ((( SELECT (COALESCE(current_setting('partner_booking.tenant', true), '') = ''))
  OR (id = ( SELECT current_setting('partner_booking.tenant', true) AS current_setting))));

DO $do$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['sign_ins', 'refused_calls', 'memberships', 'saved_views', 'invitations', 'mails', 'locations', 'services', 'specialists', 'offerings', 'specialist_hours', 'specialist_exceptions', 'blocks', 'block_days', 'applications', 'readiness_records', 'application_locations', 'calendars', 'calendar_feeds', 'events', 'event_counters', 'event_sequences', 'change_watches', 'slot_changes', 'request_counts', 'audit_log', 'webhook_endpoints', 'deliveries', 'webhook_replays']
  LOOP
    EXECUTE format($policy$CREATE POLICY tenant ON %1$I
  USING ((( SELECT (COALESCE(current_setting('partner_booking.tenant', true), '') = ''))
  OR (tenant_id = ( SELECT current_setting('partner_booking.tenant', true) AS current_setting))))$policy$, name);
  END LOOP;
END $do$;

CREATE POLICY tenant ON location_hours
  USING ((( SELECT (COALESCE(current_setting('partner_booking.tenant', true), '') = ''))
  OR (EXISTS ( SELECT
   FROM locations
  WHERE (locations.id = location_hours.location_id)))));

CREATE POLICY tenant ON location_exceptions
  USING ((( SELECT (COALESCE(current_setting('partner_booking.tenant', true), '') = ''))
  OR (EXISTS ( SELECT
   FROM locations
  WHERE (locations.id = location_exceptions.location_id)))));

CREATE POLICY tenant ON specialist_breaks
  USING ((( SELECT (COALESCE(current_setting('partner_booking.tenant', true), '') = ''))
  OR (EXISTS ( SELECT
   FROM specialists
  WHERE (specialists.id = specialist_breaks.specialist_id)))));

CREATE POLICY tenant ON specialist_time_off
  USING ((( SELECT (COALESCE(current_setting('partner_booking.tenant', true), '') = ''))
  OR (EXISTS ( SELECT
   FROM specialists
  WHERE (specialists.id = specialist_time_off.specialist_id)))));

DO $do$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['api_keys', 'idempotency_keys', 'webhook_secrets']
  LOOP
    EXECUTE format($policy$CREATE POLICY tenant ON %1$I
  USING ((( SELECT (COALESCE(current_setting('partner_booking.tenant', true), '') = ''))
  OR (EXISTS ( SELECT
   FROM applications
  WHERE (applications.id = %1$I.application_id)))))$policy$, name);
  END LOOP;
END $do$;

CREATE POLICY tenant ON request_log
  USING ((( SELECT (COALESCE(current_setting('partner_booking.tenant', true), '') = ''))
  OR (tenant_id = ( SELECT current_setting('partner_booking.tenant', true) AS current_setting))
  OR (tenant_id IS NULL)));

CREATE POLICY tenant ON delivery_attempts
  USING ((( SELECT (COALESCE(current_setting('partner_booking.tenant', true), '') = ''))
  OR (EXISTS ( SELECT
   FROM deliveries
  WHERE (deliveries.id = delivery_attempts.delivery_id)))));

ALTER TABLE tenants ENABLE ROW LEVEL SECURITY;
ALTER TABLE sign_ins ENABLE ROW LEVEL SECURITY;
ALTER TABLE refused_calls ENABLE ROW LEVEL SECURITY;
ALTER TABLE memberships ENABLE ROW LEVEL SECURITY;
ALTER TABLE saved_views ENABLE ROW LEVEL SECURITY;
ALTER TABLE invitations ENABLE ROW LEVEL SECURITY;
ALTER TABLE mails ENABLE ROW LEVEL SECURITY;
ALTER TABLE locations ENABLE ROW LEVEL SECURITY;
ALTER TABLE location_hours ENABLE ROW LEVEL SECURITY;
ALTER TABLE location_exceptions ENABLE ROW LEVEL SECURITY;
ALTER TABLE services ENABLE ROW LEVEL SECURITY;
ALTER TABLE specialists ENABLE ROW LEVEL SECURITY;
ALTER TABLE offerings ENABLE ROW LEVEL SECURITY;
ALTER TABLE specialist_hours ENABLE ROW LEVEL SECURITY;
ALTER TABLE specialist_breaks ENABLE ROW LEVEL SECURITY;
ALTER TABLE specialist_exceptions ENABLE ROW LEVEL SECURITY;
ALTER TABLE specialist_time_off ENABLE ROW LEVEL SECURITY;
ALTER TABLE blocks ENABLE ROW LEVEL SECURITY;
ALTER TABLE block_days ENABLE ROW LEVEL SECURITY;
ALTER TABLE applications ENABLE ROW LEVEL SECURITY;
ALTER TABLE readiness_records ENABLE ROW LEVEL SECURITY;
ALTER TABLE application_locations ENABLE ROW LEVEL SECURITY;
ALTER TABLE api_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE calendars ENABLE ROW LEVEL SECURITY;
ALTER TABLE calendar_feeds ENABLE ROW LEVEL SECURITY;
ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE events ENABLE ROW LEVEL SECURITY;
ALTER TABLE event_counters ENABLE ROW LEVEL SECURITY;
ALTER TABLE event_sequences ENABLE ROW LEVEL SECURITY;
ALTER TABLE change_watches ENABLE ROW LEVEL SECURITY;
ALTER TABLE slot_changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE request_log ENABLE ROW LEVEL SECURITY;
ALTER TABLE request_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_log ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhook_endpoints ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhook_secrets ENABLE ROW LEVEL SECURITY;
ALTER TABLE deliveries ENABLE ROW LEVEL SECURITY;
ALTER TABLE delivery_attempts ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhook_replays ENABLE ROW LEVEL SECURITY;

-- The server creates the partitions of later days in advance (lib/activity/request-log/partitions.ts).
SELECT create_request_log_partition((now() AT TIME ZONE 'UTC')::date + day) FROM generate_series(0, 7) AS day;
