-- AlterTable
ALTER TABLE "Asset" ADD COLUMN     "tags" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateIndex
CREATE INDEX "Asset_tags_idx" ON "Asset" USING GIN ("tags");
