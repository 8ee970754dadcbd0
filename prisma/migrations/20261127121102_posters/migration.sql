-- AlterTable
ALTER TABLE "Asset" ADD COLUMN     "posterKey" TEXT;

-- AlterTable
ALTER TABLE "Stream" ADD COLUMN     "posterKey" TEXT;
