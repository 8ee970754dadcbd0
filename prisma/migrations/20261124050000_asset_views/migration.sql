-- AlterTable
ALTER TABLE "Asset" ADD COLUMN     "deliveredMinutes" DOUBLE PRECISION NOT NULL DEFAULT 0,
ADD COLUMN     "views" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "DeliveredDay" ADD COLUMN     "views" INTEGER NOT NULL DEFAULT 0;

-- What was sent before this version
UPDATE "Asset" a SET "deliveredMinutes" = d.minutes
FROM (
  SELECT "objectId", sum("seconds") / 60 AS minutes FROM "DeliveredDay" GROUP BY "objectId"
) d
WHERE a."id" = d."objectId";
