-- AlterTable
ALTER TABLE "Task" ADD COLUMN     "cost" DOUBLE PRECISION NOT NULL DEFAULT 0,
ADD COLUMN     "failedAttempts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "faults" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "faultsSince" TIMESTAMPTZ(3),
ADD COLUMN     "lane" TEXT NOT NULL DEFAULT 'local';

-- Tasks that are under way wait in the lane that lib/core/task-lanes.ts gives new ones.
UPDATE "Task" SET "lane" = 'encode' WHERE "type" = 'transcode';
UPDATE "Task" SET "lane" = 'transfer'
WHERE "type" = 'export' OR ("type" = 'import' AND "params" #> '{import,url}' IS NOT NULL);
