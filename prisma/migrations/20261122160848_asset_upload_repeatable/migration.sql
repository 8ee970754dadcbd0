-- AlterTable
ALTER TABLE "Asset" ADD COLUMN     "uploadRepeatable" BOOLEAN NOT NULL DEFAULT false;
