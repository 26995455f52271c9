#include "cli/csv_file.hpp"

#include <filesystem>

#include "base/archive.hpp"
#include "daedal/error.hpp"
#include "model/model_data.hpp"

namespace daedal::cli {
namespace {

std::string absolute(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::weakly_canonical(std::filesystem::absolute(path, ignored), ignored)
      .string();
}

}  // namespace

template <typename Archive>
void transfer(Archive& archive, CsvMark& mark) {
  archive(mark.path, mark.size, mark.checksum, mark.num_rows);
}

std::string bytes_of(const CsvMark& mark) {
  base::Writer archive;
  archive(mark);
  return archive.take();
}

std::optional<CsvMark> csv_mark(const std::string& bytes, const std::string& checkpoint) {
  if (bytes.empty()) return std::nullopt;
  try {
    return base::Reader(bytes).read<CsvMark>();
  } catch (const base::BadArchive& reason) {
    throw Error(Problem{.id = "E-CHK-002",
                        .what = "the checkpoint does not tell how far its output file had come",
                        .where = checkpoint,
                        .why = reason.what(),
                        .todo = "continue it with the program that wrote it"});
  }
}

CsvFile::CsvFile(const std::string& path, const Model& model)
    : path_(path), file_(path), csv_([this](std::string_view lines) { file_.write(lines); }) {
  find_names(model);
}

CsvFile::CsvFile(const CsvMark& mark, const Model& model)
    : path_(mark.path),
      file_(mark.path, mark.size, mark.checksum),
      csv_([this](std::string_view lines) { file_.write(lines); }),
      has_header_(mark.size > 0),
      former_rows_(mark.num_rows) {
  find_names(model);
}

void CsvFile::find_names(const Model& model) {
  for (const model::Variable& variable : model.data().variables) names_.push_back(variable.name);
  for (const model::Output& reported : model::reported_of(model.data()))
    names_.push_back(reported.name);
}

void CsvFile::write_header() {
  if (!has_header_) csv_.write_header(names_);
  has_header_ = true;
}

void CsvFile::write(double t, std::span<const double> values) {
  write_header();
  csv_.write_row(t, values);
}

CsvMark CsvFile::mark() {
  flush();
  return {absolute(path_), file_.size(), file_.checksum(), num_rows()};
}

void CsvFile::finish() {
  write_header();
  flush();
  file_.write("");  // what stood behind the mark goes, whether there are new rows or not
}

}  // namespace daedal::cli
