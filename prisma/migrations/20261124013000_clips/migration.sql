-- AlterTable
ALTER TABLE "Asset" ADD COLUMN     "clipPlaybackId" TEXT,
ADD COLUMN     "clipSessionId" UUID;

-- CreateIndex
CREATE INDEX "Asset_clipPlaybackId_idx" ON "Asset"("clipPlaybackId");

-- CreateIndex
CREATE INDEX "Asset_clipSessionId_idx" ON "Asset"("clipSessionId");
