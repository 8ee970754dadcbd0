-- AlterTable
ALTER TABLE "Asset" ADD COLUMN     "reservedBytes" BIGINT NOT NULL DEFAULT 0;
