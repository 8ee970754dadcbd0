-- AlterTable
ALTER TABLE "TargetStatus" RENAME COLUMN "told" TO "reportedEvent";
ALTER TABLE "TargetStatus" RENAME COLUMN "connectedTold" TO "connectionReported";
ALTER TABLE "TargetStatus" RENAME COLUMN "errorToldAt" TO "errorReportedAt";
