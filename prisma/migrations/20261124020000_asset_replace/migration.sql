-- AlterTable
ALTER TABLE "Asset" ADD COLUMN     "chaptersOfFile" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "fileVersion" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "filesId" UUID,
ADD COLUMN     "replacesId" UUID;

-- AlterTable
ALTER TABLE "Task" ADD COLUMN     "replacesAssetId" UUID;

-- CreateIndex
CREATE INDEX "Asset_filesId_idx" ON "Asset"("filesId");

-- CreateIndex
CREATE INDEX "Asset_replacesId_idx" ON "Asset"("replacesId");

-- CreateIndex
CREATE INDEX "Task_replacesAssetId_idx" ON "Task"("replacesAssetId");

-- AddForeignKey
ALTER TABLE "Asset" ADD CONSTRAINT "Asset_replacesId_fkey" FOREIGN KEY ("replacesId") REFERENCES "Asset"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Until now, an empty list mostly meant that the file has none.
UPDATE "Asset" SET "chaptersOfFile" = true WHERE "chapters" = '[]';
