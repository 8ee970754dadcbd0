-- AlterEnum
ALTER TYPE "RecordingState" ADD VALUE 'transient' BEFORE 'waiting';

-- AlterTable
ALTER TABLE "Stream" ADD COLUMN     "dvrSeconds" INTEGER;
