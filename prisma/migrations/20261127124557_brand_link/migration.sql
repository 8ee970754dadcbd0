-- AlterTable
ALTER TABLE "Team" ADD COLUMN     "brandLink" TEXT;
