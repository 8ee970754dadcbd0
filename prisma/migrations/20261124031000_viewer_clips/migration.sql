-- AlterTable
ALTER TABLE "Asset" ADD COLUMN     "clippedByViewer" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "Stream" ADD COLUMN     "viewerClips" BOOLEAN NOT NULL DEFAULT false;
