-- AlterTable
ALTER TABLE "Account" ADD COLUMN     "deletedAt" TIMESTAMPTZ(3);
