-- AlterTable
ALTER TABLE "MultistreamTarget" ADD COLUMN     "testMessage" TEXT,
ADD COLUMN     "testOutcome" TEXT,
ADD COLUMN     "testedAt" TIMESTAMPTZ(3);
