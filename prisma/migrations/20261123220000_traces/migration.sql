-- AlterTable
ALTER TABLE "Event" ADD COLUMN "traceparent" TEXT;

-- AlterTable
ALTER TABLE "Task" ADD COLUMN "traceparent" TEXT;
