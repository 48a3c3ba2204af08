extension Metric {
  /// Every metric, in the order in which they are exposed. What is said here of one is said nowhere else;
  /// `docs/METRICS.md` has the same list, and a test holds it to this one.
  package static let all: [Metric] =
    [
      build, alerts, wakes, alertToAnswer, pushRequest, receipt, httpRequests, httpRequest, httpProblems,
      storeCommit, storeFailures, devices, devicesWaiting, stacks, holds, lastReceipt, unansweredAlert,
      storeReadable, queueDepth, streams,
    ] + process

  // MARK: The service

  static let build = Metric(
    "wake_build", .info, labels: ["version", "contract"],
    "The program's version, and that of the wire contract that it keeps; always 1.")

  // MARK: Alerts and wakes

  static let alerts = Metric(
    "wake_alerts", .counter, labels: ["kind"],
    "Alerts that were recorded since the start, by kind; repeats are not counted.")
  static let wakes = Metric(
    "wake_wakes", .counter, labels: ["outcome", "push_server"],
    "Wakes that ended, or were decided not to be sent, since the start, by what came of them and the push server's origin."
  )
  static let alertToAnswer = Metric(
    "wake_alert_to_answer_seconds", .histogram, unit: "seconds", labels: ["waited"],
    "From taking up the hook call of the newest alert that a wake stands for to the push server's answer; waited is yes where some of its alerts stood behind a window, a pause or a full push server."
  )
  static let pushRequest = Metric(
    "wake_push_request_seconds", .histogram, unit: "seconds", labels: ["push_server"],
    "From the start of a request to a push server, name resolution and connection included, to the end of its answer or its failure."
  )
  static let receipt = Metric(
    "wake_receipt_seconds", .histogram, unit: "seconds",
    "From putting a wake on record, which is just before it is sent, to the receipt that the phone hands back."
  )

  // MARK: State, read from the store

  static let devices = Metric(
    "wake_devices", .gauge, labels: ["state"], "Devices of all stacks, by state.")
  static let devicesWaiting = Metric(
    "wake_devices_waiting", .gauge,
    "Devices that are to be told of something and wait for the end of a window or a pause, or for their turn."
  )
  static let stacks = Metric("wake_stacks", .gauge, "Stacks.")
  static let holds = Metric(
    "wake_holds", .gauge, labels: ["scope"],
    "Pauses in effect that push servers asked for, of single endpoints and of whole push servers.")
  static let lastReceipt = Metric(
    "wake_last_receipt_timestamp_seconds", .gauge, unit: "seconds",
    "When the last receipt of any device came, in seconds since 1970; 0 where none ever did.")
  static let unansweredAlert = Metric(
    "wake_unanswered_alert_timestamp_seconds", .gauge, unit: "seconds",
    "When the first alert was raised that wakes somebody and since which no receipt came, in seconds since 1970; 0 where there is none."
  )
  static let storeReadable = Metric(
    "wake_store_readable", .gauge,
    "1 where the store could be read for the metrics of state; 0 where it could not, and they are left out.")

  // MARK: The process at work

  static let queueDepth = Metric(
    "wake_queue_depth", .gauge, labels: ["queue"],
    "What waits: pipeline (stacks to be looked at, and single wakes), sender (wakes without an answer yet), results (answers to be kept), writer and readers (calls of the store)."
  )
  static let streams = Metric("wake_streams", .gauge, "Open event streams.")
  static let storeCommit = Metric(
    "wake_store_commit_seconds", .histogram, unit: "seconds",
    "How long a transaction of the store's writer takes, from its begin to the end of its commit, or to its failure."
  )
  static let storeFailures = Metric(
    "wake_store_failures", .counter, labels: ["reason"],
    "Changes that the store did not keep, since the start: busy, full (no space) or other.")
  static let httpRequests = Metric(
    "wake_http_requests", .counter, labels: ["listener", "method", "route", "status"],
    "Requests that were answered since the start, by route pattern and class of status; route none is what no route takes, or the listener refused."
  )
  static let httpRequest = Metric(
    "wake_http_request_seconds", .histogram, unit: "seconds", labels: ["method", "route"],
    "From taking up a request that was read whole to its answer; of a stream, to its head.")
  static let httpProblems = Metric(
    "wake_http_problems", .counter, labels: ["code"], "Error answers since the start, by their code.")

  // MARK: The process, as Prometheus' own clients name it

  static let process = [
    processCPU, processOpenFiles, processMaximumFiles, processResidentMemory, processVirtualMemory,
    processStart,
  ]

  static let processCPU = Metric(
    "process_cpu_seconds", .counter, unit: "seconds", "Time of all cores that the process has used.")
  static let processOpenFiles = Metric("process_open_fds", .gauge, "Open file descriptors.")
  static let processMaximumFiles = Metric(
    "process_max_fds", .gauge, "File descriptors that may be open at once.")
  static let processResidentMemory = Metric(
    "process_resident_memory_bytes", .gauge, unit: "bytes", "Memory in use.")
  static let processVirtualMemory = Metric(
    "process_virtual_memory_bytes", .gauge, unit: "bytes", "Address space in use.")
  static let processStart = Metric(
    "process_start_time_seconds", .gauge, unit: "seconds",
    "When the process was started, in seconds since 1970.")
}
