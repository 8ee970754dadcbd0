-- AlterTable
ALTER TABLE "Asset" ADD COLUMN     "bytesRemovedAt" TIMESTAMPTZ(3),
ADD COLUMN     "sourceKey" TEXT,
ADD COLUMN     "storedBytes" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "uploadLease" UUID,
ADD COLUMN     "uploadLeaseUntil" TIMESTAMPTZ(3),
ADD COLUMN     "videoKey" TEXT;

-- AlterTable
ALTER TABLE "Task" ADD COLUMN     "expectedAt" TIMESTAMPTZ(3),
ADD COLUMN     "lease" UUID,
ADD COLUMN     "leaseUntil" TIMESTAMPTZ(3),
ADD COLUMN     "work" JSONB;

-- CreateIndex
CREATE INDEX "Asset_phase_uploadLeaseUntil_idx" ON "Asset"("phase", "uploadLeaseUntil");

-- CreateIndex
CREATE INDEX "Asset_bytesRemovedAt_deletedAt_idx" ON "Asset"("bytesRemovedAt", "deletedAt");

-- CreateIndex
CREATE INDEX "Task_phase_leaseUntil_idx" ON "Task"("phase", "leaseUntil");
