-- AlterTable
ALTER TABLE "Asset" ADD COLUMN     "profiles" JSONB,
ADD COLUMN     "renditionsDueAt" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "Asset_renditionsDueAt_idx" ON "Asset"("renditionsDueAt");
