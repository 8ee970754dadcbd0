-- AlterTable
ALTER TABLE "Asset" ADD COLUMN     "hasStoryboard" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "storyboardDueAt" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "Asset_storyboardDueAt_idx" ON "Asset"("storyboardDueAt");
