-- AlterTable
ALTER TABLE "Stream" ADD COLUMN     "pullNodeId" UUID,
ADD COLUMN     "pullOptions" JSONB,
ADD COLUMN     "pullReport" JSONB,
ADD COLUMN     "pullSealed" BYTEA,
ADD COLUMN     "pullSourceHash" BYTEA,
ADD COLUMN     "pullStartedAt" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "Stream_pullStartedAt_idx" ON "Stream"("pullStartedAt");

-- CreateIndex
CREATE INDEX "Stream_teamId_pullSourceHash_idx" ON "Stream"("teamId", "pullSourceHash");
