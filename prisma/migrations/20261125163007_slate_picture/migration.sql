-- AlterTable
ALTER TABLE "Stream" ADD COLUMN     "backupKeyRotatedAt" TIMESTAMPTZ(3),
ADD COLUMN     "slatePictureKey" TEXT;
