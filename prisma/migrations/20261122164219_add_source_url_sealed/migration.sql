-- AlterTable
ALTER TABLE "Asset" ADD COLUMN     "sourceUrlHash" BYTEA,
ADD COLUMN     "sourceUrlSealed" BYTEA;
