"""What is measured of a running outbox, and the alerts on it, as files for Prometheus and Grafana. Pure."""
