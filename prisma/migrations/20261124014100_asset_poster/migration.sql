-- AlterTable
ALTER TABLE "Asset" ADD COLUMN     "posterTime" DOUBLE PRECISION;
