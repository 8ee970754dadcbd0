-- Lists begin with what was seen or made last. A stream that never was live has no "lastSeen", and stood behind all others.
-- Prisma's schema cannot say that a column is generated.
-- AlterTable
ALTER TABLE "Session" ADD COLUMN     "listedAt" TIMESTAMPTZ(3) NOT NULL GENERATED ALWAYS AS (coalesce("lastSeen", "createdAt")) STORED;

-- AlterTable
ALTER TABLE "Stream" ADD COLUMN     "listedAt" TIMESTAMPTZ(3) NOT NULL GENERATED ALWAYS AS (coalesce("lastSeen", "createdAt")) STORED;

-- CreateIndex
CREATE INDEX "Session_userId_listedAt_createdAt_id_idx" ON "Session"("userId", "listedAt" DESC, "createdAt" DESC, "id");

-- CreateIndex
CREATE INDEX "Session_parentId_listedAt_createdAt_id_idx" ON "Session"("parentId", "listedAt" DESC, "createdAt" DESC, "id");

-- CreateIndex
CREATE INDEX "Stream_userId_listedAt_createdAt_id_idx" ON "Stream"("userId", "listedAt" DESC, "createdAt" DESC, "id");

-- Parent streams alone, in the orders of the dashboard: an account has few of them, and a child object for each session.
-- Prisma's schema cannot say that an index has a condition.
CREATE INDEX "Stream_parents_listedAt_idx" ON "Stream"("userId", "listedAt" DESC, "createdAt" DESC, "id") WHERE "parentId" IS NULL;
CREATE INDEX "Stream_parents_createdAt_idx" ON "Stream"("userId", "createdAt" DESC, "id") WHERE "parentId" IS NULL;
