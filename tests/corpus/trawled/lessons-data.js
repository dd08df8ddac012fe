export const lessons = [
  {
    id: 'cdc-outbox',
    title: 'Outbox with CDC',
    code: `// connector (JSON)
{
  "name": "lessons-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "postgres",
    "database.port": "5432",
    "database.user": "app",
    "database.password": "secret",
    "database.dbname": "courses_db",
    "database.server.name": "courses",
    "table.include.list": "public.courses,public.outbox",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.expand.json.payload": "true"
  }
}

// the application only writes to the database
async function openCourse(data) {
  await db.transaction(async (trx) => {
    const course = await trx.courses.create(data)

    // CDC sees this row
    await trx.outbox.create({
      aggregateId: course.id,
      aggregateType: 'Course',
      eventType: 'CourseOpened',
      payload: { courseId: course.id, ...data }
    })
  })
}`,
    points: ['no polling', 'no dual write', 'order per aggregate'],
  },
];
