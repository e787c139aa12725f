-- CreateTable
CREATE TABLE "saved_views" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "page" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "query" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "saved_views_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "saved_views_tenant_id_user_id_page_number_key" ON "saved_views"("tenant_id", "user_id", "page", "number");

-- AddForeignKey
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_tenant_id_user_id_fkey" FOREIGN KEY ("tenant_id", "user_id") REFERENCES "memberships"("tenant_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A member's views of one page have different names, even if letter case is ignored.
CREATE UNIQUE INDEX "saved_views_name_key" ON "saved_views"("tenant_id", "user_id", "page", lower("name"));

-- The format of ids.
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_id_format" CHECK ("id" ~ '^viw_[0-7][0-9a-hjkmnp-tv-z]{25}$');

ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_page" CHECK ("page" IN ('requests', 'bookings'));

-- The number of a saved view is unique per member and page, so this range limits a member to 20 saved views per page.
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_number" CHECK ("number" BETWEEN 1 AND 20);

ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_name_length" CHECK (char_length("name") BETWEEN 1 AND 60);

-- The query parameters of a page's URL. The limit prevents large rows.
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_query" CHECK (jsonb_typeof("query") = 'object' AND octet_length("query"::text) <= 4096);
