-- How pages for viewers look, and whether players offer Chromecast. Nothing changes for existing accounts.
ALTER TABLE "Account" ADD COLUMN "brandAccent" TEXT,
ADD COLUMN "brandLogo" TEXT,
ADD COLUMN "brandName" TEXT,
ADD COLUMN "casting" BOOLEAN NOT NULL DEFAULT false;

CREATE UNIQUE INDEX "Account_brandLogo_key" ON "Account"("brandLogo");
