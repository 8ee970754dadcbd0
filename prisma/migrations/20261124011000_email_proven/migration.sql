-- AlterTable
ALTER TABLE "Account" ADD COLUMN     "emailProvenAt" TIMESTAMPTZ(3);
