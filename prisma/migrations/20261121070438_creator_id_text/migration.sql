-- A list is filtered and sorted by it; the type that stood beside it is always "unverified".
ALTER TABLE "Asset" ALTER COLUMN "creatorId" SET DATA TYPE TEXT USING "creatorId" ->> 'value';

ALTER TABLE "Stream" ALTER COLUMN "creatorId" SET DATA TYPE TEXT USING "creatorId" ->> 'value';
