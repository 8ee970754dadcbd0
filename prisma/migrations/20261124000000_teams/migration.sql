-- The tenant is a team. Every account becomes the owner of a team with its id, so that sealed secrets, keys in the
-- storage and the `userId` of the API stay valid. Columns are renamed: no table of objects is rewritten.

-- CreateEnum
CREATE TYPE "TeamRole" AS ENUM ('admin', 'developer', 'owner', 'viewer');

-- CreateTable
CREATE TABLE "Team" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "suspended" BOOLEAN NOT NULL DEFAULT false,
    "deletedAt" TIMESTAMPTZ(3),
    "brandName" TEXT,
    "brandAccent" TEXT,
    "brandLogo" TEXT,
    "casting" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "Team_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TeamMember" (
    "teamId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "role" "TeamRole" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "TeamMember_pkey" PRIMARY KEY ("teamId","userId")
);

INSERT INTO "Team" ("id", "name", "createdAt", "suspended", "deletedAt", "brandName", "brandAccent", "brandLogo", "casting")
  SELECT "id", split_part("email", '@', 1), "createdAt", "suspended", "deletedAt", "brandName", "brandAccent", "brandLogo", "casting"
  FROM "Account";

INSERT INTO "TeamMember" ("teamId", "userId", "role", "createdAt")
  SELECT "id", "id", 'owner', "createdAt" FROM "Account";

-- DropIndex
DROP INDEX "Account_brandLogo_key";

-- AlterTable
ALTER TABLE "Account" DROP COLUMN "brandAccent",
DROP COLUMN "brandLogo",
DROP COLUMN "brandName",
DROP COLUMN "casting";

-- CreateIndex
CREATE UNIQUE INDEX "Team_brandLogo_key" ON "Team"("brandLogo");

-- CreateIndex
CREATE INDEX "TeamMember_userId_createdAt_idx" ON "TeamMember"("userId", "createdAt");

-- AddForeignKey
ALTER TABLE "TeamMember" ADD CONSTRAINT "TeamMember_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TeamMember" ADD CONSTRAINT "TeamMember_userId_fkey" FOREIGN KEY ("userId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Rename the columns, with their indexes
ALTER TABLE "ApiKey" RENAME COLUMN "userId" TO "teamId";
ALTER TABLE "Asset" RENAME COLUMN "userId" TO "teamId";
ALTER TABLE "DeliveredDay" RENAME COLUMN "userId" TO "teamId";
ALTER TABLE "Event" RENAME COLUMN "userId" TO "teamId";
ALTER TABLE "IdempotentRequest" RENAME COLUMN "userId" TO "teamId";
ALTER TABLE "MultistreamTarget" RENAME COLUMN "userId" TO "teamId";
ALTER TABLE "Session" RENAME COLUMN "userId" TO "teamId";
ALTER TABLE "Stream" RENAME COLUMN "userId" TO "teamId";
ALTER TABLE "Task" RENAME COLUMN "userId" TO "teamId";
ALTER TABLE "Webhook" RENAME COLUMN "userId" TO "teamId";
ALTER TABLE "WebhookAttempt" RENAME COLUMN "userId" TO "teamId";
ALTER TABLE "AuditEntry" RENAME COLUMN "userId" TO "teamId";
ALTER INDEX "ApiKey_userId_createdAt_idx" RENAME TO "ApiKey_teamId_createdAt_idx";
ALTER INDEX "Asset_userId_createdAt_id_idx" RENAME TO "Asset_teamId_createdAt_id_idx";
ALTER INDEX "Asset_userId_name_id_idx" RENAME TO "Asset_teamId_name_id_idx";
ALTER INDEX "Asset_userId_statusUpdatedAt_createdAt_id_idx" RENAME TO "Asset_teamId_statusUpdatedAt_createdAt_id_idx";
ALTER INDEX "AuditEntry_userId_createdAt_idx" RENAME TO "AuditEntry_teamId_createdAt_idx";
ALTER INDEX "Event_userId_createdAt_idx" RENAME TO "Event_teamId_createdAt_idx";
ALTER INDEX "Event_userId_txid_id_idx" RENAME TO "Event_teamId_txid_id_idx";
ALTER INDEX "MultistreamTarget_userId_id_idx" RENAME TO "MultistreamTarget_teamId_id_idx";
ALTER INDEX "Session_userId_lastSeen_createdAt_id_idx" RENAME TO "Session_teamId_lastSeen_createdAt_id_idx";
ALTER INDEX "Session_userId_listedAt_createdAt_id_idx" RENAME TO "Session_teamId_listedAt_createdAt_id_idx";
ALTER INDEX "Stream_userId_createdAt_id_idx" RENAME TO "Stream_teamId_createdAt_id_idx";
ALTER INDEX "Stream_userId_lastSeen_createdAt_id_idx" RENAME TO "Stream_teamId_lastSeen_createdAt_id_idx";
ALTER INDEX "Stream_userId_listedAt_createdAt_id_idx" RENAME TO "Stream_teamId_listedAt_createdAt_id_idx";
ALTER INDEX "Stream_userId_name_id_idx" RENAME TO "Stream_teamId_name_id_idx";
ALTER INDEX "Task_userId_createdAt_id_idx" RENAME TO "Task_teamId_createdAt_id_idx";
ALTER INDEX "Task_userId_startedAt_idx" RENAME TO "Task_teamId_startedAt_idx";
ALTER INDEX "Webhook_userId_id_idx" RENAME TO "Webhook_teamId_id_idx";

-- Objects refer to the team. There is a team for every account, so existing rows are valid.
ALTER TABLE "ApiKey" DROP CONSTRAINT "ApiKey_userId_fkey",
  ADD CONSTRAINT "ApiKey_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Asset" DROP CONSTRAINT "Asset_userId_fkey",
  ADD CONSTRAINT "Asset_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "DeliveredDay" DROP CONSTRAINT "DeliveredDay_userId_fkey",
  ADD CONSTRAINT "DeliveredDay_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Event" DROP CONSTRAINT "Event_userId_fkey",
  ADD CONSTRAINT "Event_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "MultistreamTarget" DROP CONSTRAINT "MultistreamTarget_userId_fkey",
  ADD CONSTRAINT "MultistreamTarget_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Session" DROP CONSTRAINT "Session_userId_fkey",
  ADD CONSTRAINT "Session_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Stream" DROP CONSTRAINT "Stream_userId_fkey",
  ADD CONSTRAINT "Stream_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Task" DROP CONSTRAINT "Task_userId_fkey",
  ADD CONSTRAINT "Task_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Webhook" DROP CONSTRAINT "Webhook_userId_fkey",
  ADD CONSTRAINT "Webhook_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The audit log names the person
ALTER TABLE "AuditEntry" ADD COLUMN "userId" UUID;
UPDATE "AuditEntry" SET "userId" = "teamId" WHERE "actor" IN ('session', 'anonymous') AND "teamId" IS NOT NULL;
