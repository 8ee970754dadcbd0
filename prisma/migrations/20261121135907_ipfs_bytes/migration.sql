-- AlterTable
ALTER TABLE "Asset" ADD COLUMN     "ipfsBytes" BIGINT NOT NULL DEFAULT 0;
