-- AlterTable
ALTER TABLE "Stream" ADD COLUMN     "previewPlaybackId" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "Stream_previewPlaybackId_key" ON "Stream"("previewPlaybackId");
