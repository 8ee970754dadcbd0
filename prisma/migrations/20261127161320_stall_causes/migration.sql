-- AlterTable
ALTER TABLE "AudiencePeriod" ADD COLUMN     "edgeStalls" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "StreamHealth" ADD COLUMN     "lateness" INTEGER;
